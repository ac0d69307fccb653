#!/bin/bash
# A whole review in a browser: racerx review, two reviewers, reloads, export; the verdicts are in the database afterwards.
. "$(dirname "$0")/common.inc"
"$RACERX" run --quiet --db review.db "$root/examples" >/dev/null
"$RACERX" review --db review.db >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for _ in $(seq 100); do
    grep -q '^http://' server.log && break
    sleep 0.1
done
url=$(grep -m 1 '^http://' server.log) || { cat server.log && exit 1; }
SERVER=$server node "$here/review.mjs" "$url"
"$RACERX" report --all --db review.db --format jsonl >after.jsonl
grep -q '"verdict":"false".*"note":"cannot happen <img src=x onerror=alert(1)>"' after.jsonl || { echo "not ok the database has the verdict: $(cat after.jsonl)" && exit 1; }
echo "ok the database has the verdict"
