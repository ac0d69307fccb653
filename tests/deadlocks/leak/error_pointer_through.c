/* A channel comes back locked, or as an error; so does it from the function around. One caller forgets it. */
struct channel { struct mutex lock; int rate; };

static struct channel *channel_find(int number)
{
	struct channel *channel = channel_lookup(number);
	if (!channel)
		return ERR_PTR(-ENODEV);
	mutex_lock(&channel->lock);
	return channel; /* NOLEAK */
}

static struct channel *channel_get(int number)
{
	struct channel *channel = channel_find(number);
	if (IS_ERR(channel))
		return ERR_CAST(channel); /* NOLEAK */
	channel->rate = 0;
	return channel; /* NOLEAK */
}

int channel_set(int number, int rate)
{
	struct channel *channel = channel_get(number);
	if (IS_ERR(channel))
		return PTR_ERR(channel); /* NOLEAK */
	channel->rate = rate;
	mutex_unlock(&channel->lock); /* NOUNHELD */
	return 0; /* NOLEAK */
}

int channel_mute(int number)
{
	struct channel *channel = channel_find(number);
	if (IS_ERR(channel))
		return PTR_ERR(channel); /* NOLEAK */
	channel->rate = -1;
	return 0; /* LEAK */
}
