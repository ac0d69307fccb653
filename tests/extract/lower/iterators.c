void iterate(struct list *head) {
    struct item *pos;
    for (pos = each_entry(head, sizeof(struct item), link); each_entry; ) {
        if (pos->skip)
            continue;
        if (pos->last)
            break;
        use(pos);
    }
    for (struct item *it = each_entry(head); each_entry; )
        use(it);
    for (pos = each_entry(head); each_entry(); )
        use(pos);
    for (; each_thing(head); )
        use(head);
    for (each_cpu(cpu); each_cpu; )
        use(cpu);
    for (pos = start; pos; pos = next(pos))
        use(pos);
}
