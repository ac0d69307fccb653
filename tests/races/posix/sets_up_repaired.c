// racerx-verdict: shown
// Who makes the lock by a helper, or stores one member after another, is setting the object up; who looks at one, is not.
#include <pthread.h>

struct job {
    struct job *next;
    pthread_mutex_t lock;
    int state, tries, result;
};
struct job *job_memory(void); // who knows whether it is fresh
void give_up(void);
static struct job *jobs;
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_make(pthread_mutex_t *lock) { pthread_mutex_init(lock, 0); }

static void job_init(struct job *job) {
    lock_make(&job->lock);
    job->state = 1; // NORACE
    job->tries = 0; // NORACE
    job->result = -1; // NORACE
}

static struct job *job_find(void) {
    pthread_mutex_lock(&jobs_lock);
    struct job *job = jobs;
    pthread_mutex_unlock(&jobs_lock);
    return job;
}

static void job_retry(struct job *job) {
    pthread_mutex_lock(&job->lock);
    job->tries++;
    job->state = 2;
    pthread_mutex_unlock(&job->lock);
}

static void job_done(struct job *job, int result) {
    pthread_mutex_lock(&job->lock);
    job->result = result;
    job->state = 3;
    pthread_mutex_unlock(&job->lock);
}

static int job_failed(struct job *job) {
    pthread_mutex_lock(&job->lock);
    int failed = job->state == 3 && job->result < 0 && job->tries > 3;
    pthread_mutex_unlock(&job->lock);
    return failed;
}

static void job_abort(struct job *job) {
    pthread_mutex_lock(&job->lock);
    if (job->result < 0) // NORACE
        give_up();
    pthread_mutex_unlock(&job->lock);
}

static void *worker(void *unused) {
    struct job *job = job_find();
    job_retry(job);
    job_done(job, job_failed(job));
    if (unused)
        job_abort(job);
    return 0;
}

static void jobs_add(void) {
    struct job *job = job_memory();
    job_init(job);
    pthread_mutex_lock(&jobs_lock);
    job->next = jobs;
    jobs = job;
    pthread_mutex_unlock(&jobs_lock);
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], 0, worker, 0);
        jobs_add();
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
