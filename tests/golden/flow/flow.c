int flow(struct s *p, int n)
{
	int ret;
	if (!p || (ret = start(p)) < 0)
		return -1;
	while (n--) {
		if (likely(p->ready && !p->stop))
			continue;
		if (NULL == p->next)
			break;
		ret = p->ok ? one(p) : two(p, n > 3 && p->big);
	}
	do
		ret += p->table[n]->get(&p->lock, ret);
	while (ret);
	switch (ret) {
	case 1:
		three();
		/* fall through */
	case 2:
		goto out;
	default:
		ret = 0;
	}
	for (;;)
		if (four())
			goto out;
out:
	return ret;
}
