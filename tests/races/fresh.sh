#!/bin/bash
# Programs in many idioms, in pairs (racy and repaired), each against the verdicts on its lines: see tests/verdict.
# They were written before anybody had looked at what the analysis can do; what it cannot is a TODO.
cd "$(dirname "$0")/../.." && exec tests/verdict tests/races/fresh/*.c tests/races/fresh/*/
