#!/bin/bash
# A statement that cannot be read says how many bytes it has where others have a value: nobody takes that for one.
. "$(dirname "$0")/../cli/common.inc"
{
    echo 'struct tank { int level; }; struct tank tank; void use(unsigned long);'
    echo 'void fill(void) { use(sizeof(struct tank));'
    printf 'goto %s;\n' "$(printf '+ y %.0s' $(seq 100))"
    echo 'tank.level = 1; }'
} >lost.c
run run --quiet --format jsonl --db lost.db lost.c
expect "read to its end" 0
finish
