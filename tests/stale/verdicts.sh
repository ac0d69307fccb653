#!/bin/bash
# What was true under a lock and is relied on after it: the figures of Radar and PLA, small kernels, servers and drivers, each
# against the verdicts on its lines: see tests/verdict.
cd "$(dirname "$0")/../.." || exit 2
exec tests/verdict tests/stale/papers/*.c tests/stale/kernel/*.c tests/stale/servers/*.c tests/stale/drivers/*.c
