#!/bin/bash
# Kernel-style programs: the programs in kernel/, each against the verdicts on its lines: see tests/verdict.
cd "$(dirname "$0")/../.." && exec tests/verdict tests/races/kernel/*.c
