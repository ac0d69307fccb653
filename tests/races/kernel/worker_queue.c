/* Most work goes to the worker, one item after the other, but the refresh is also scheduled where all others are: then two run at once. */
struct panel { struct kthread_worker *worker; struct kthread_work draw, dim, refresh; struct work_struct late; struct mutex lock; int level; int shown; };

static void panel_draw(struct kthread_work *work)
{
	struct panel *panel = container_of(work, struct panel, draw);
	mutex_lock(&panel->lock);
	panel->level++;
	panel->shown++; /* NORACE */
	mutex_unlock(&panel->lock);
}

static void panel_dim(struct kthread_work *work)
{
	struct panel *panel = container_of(work, struct panel, dim);
	mutex_lock(&panel->lock);
	panel->level--;
	panel->shown++; /* NORACE */
	mutex_unlock(&panel->lock);
}

static void panel_late(struct work_struct *work)
{
	struct panel *panel = container_of(work, struct panel, late);
	mutex_lock(&panel->lock);
	panel->level = 3;
	panel->shown++; /* NORACE */
	mutex_unlock(&panel->lock);
}

static void panel_refresh(struct kthread_work *work)
{
	struct panel *panel = container_of(work, struct panel, refresh);
	panel->level = 0; /* RACE */
}

static irqreturn_t panel_interrupt(int irq, void *data)
{
	struct panel *panel = data;
	kthread_queue_work(panel->worker, &panel->draw);
	kthread_queue_work(panel->worker, &panel->dim);
	kthread_queue_work(panel->worker, &panel->refresh);
	schedule_work(&panel->late);
	return IRQ_HANDLED;
}

int panel_probe(struct panel *panel, int irq)
{
	mutex_init(&panel->lock);
	kthread_init_work(&panel->draw, panel_draw);
	kthread_init_work(&panel->dim, panel_dim);
	kthread_init_work(&panel->refresh, panel_refresh);
	INIT_WORK(&panel->late, panel_late);
	panel->worker = kthread_create_worker(0, "panel");
	if (!panel->worker)
		return -ENOMEM;
	return request_irq(irq, panel_interrupt, 0, "panel", panel);
}
