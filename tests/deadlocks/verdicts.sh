#!/bin/bash
# The programs beside it, each against the verdicts on its lines: see tests/verdict.
cd "$(dirname "$0")/../.." && exec tests/verdict tests/deadlocks/*.c tests/deadlocks/*/
