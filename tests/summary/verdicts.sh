#!/bin/bash
# RELAY's pairs, of entries and without beliefs (--engine summaries): small programs against the verdicts on their lines.
cd "$(dirname "$0")/../.." && exec tests/verdict tests/summary/pairs/*.c
