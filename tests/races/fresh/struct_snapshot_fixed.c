#include <pthread.h>
#include <stdio.h>

typedef struct {
    double x, y, z;
    unsigned long stamp;
} Pose;

static Pose current_pose;
static pthread_mutex_t pose_mutex = PTHREAD_MUTEX_INITIALIZER;

static void pose_store(const Pose *p)
{
    pthread_mutex_lock(&pose_mutex);
    current_pose = *p;
    pthread_mutex_unlock(&pose_mutex);
}

static Pose pose_load(void)
{
    Pose copy;
    pthread_mutex_lock(&pose_mutex);
    copy = current_pose; // NORACE
    pthread_mutex_unlock(&pose_mutex);
    return copy;
}

static void *odometry(void *arg)
{
    Pose p = { 0, 0, 0, 0 };
    for (int i = 0; i < 500; i++) {
        p.x += 0.1;
        p.y -= 0.05;
        p.stamp++;
        pose_store(&p);
    }
    return arg;
}

static void *planner(void *arg)
{
    double worst = 0;
    for (int i = 0; i < 500; i++) {
        Pose p = pose_load();
        double err = p.x + 2 * p.y;
        if (err > worst)
            worst = err;
    }
    printf("%f\n", worst);
    return arg;
}

int main(void)
{
    pthread_t odo, plan;
    pthread_create(&odo, NULL, odometry, NULL);
    pthread_create(&plan, NULL, planner, NULL);
    pthread_join(odo, NULL);
    pthread_join(plan, NULL);
    return 0;
}
