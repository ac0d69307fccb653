# What README.md says that `racerx run examples/` says is what it says.
set -eu
awk '/^`racerx run examples\/` says:/ { on = 1; next } on && /^```/ { if (++fence == 2) exit; next } on && fence' README.md >"$TMP/said"
[ -s "$TMP/said" ] || { echo "not ok: README.md has no example"; exit 1; }
"$RACERX" run -q --db "$TMP/x.db" examples >"$TMP/says"
diff "$TMP/said" "$TMP/says" && echo "ok example" || { echo "not ok: README.md has another example than racerx run examples/"; exit 1; }
