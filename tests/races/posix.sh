#!/bin/bash
# POSIX and C11 threads: the programs in posix/, each against the verdicts on its lines: see tests/verdict.
cd "$(dirname "$0")/../.." && exec tests/verdict tests/races/posix/*.c tests/races/posix/*/
