# fit.sh: the kept vectors, fitted again, give the settings that rank/default.lua has.
make -s "$(dirname "$RACERX")/bench/fit" BUILD="$(dirname "$RACERX")" >/dev/null 2>&1
fit=$(dirname "$RACERX")/bench/fit
[ -x "$fit" ] || { echo "bench/fit is not built"; exit 77; }
"$fit" --check rank/default.lua bench/fit/priors.txt bench/fit/historic.jsonl bench/fit/planted.jsonl bench/fit/judged.jsonl
