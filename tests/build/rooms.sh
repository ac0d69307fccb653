# No room of racerx/ calls a later one: includes say who may see whom (make layers), but facts/analysis.h declares verbs of
# several rooms, and there only the linker knows. Order of the rooms: docs/contributing.md.
set -eu
objects=$(dirname "$RACERX")/objects/racerx
rooms="link findings mark facts walk summary check stale init confirm"
for room in $rooms; do
    files=$(for source in racerx/"$room"/*.c; do echo "$objects/$room/$(basename "$source" .c).o"; done)
    nm $files | awk -v room="$room" 'NF == 3 && $2 ~ /[TDRBC]/ { print "has", $3, room }
                                                     $1 == "U" { print "calls", $2, room }'
done | awk -v rooms="$rooms" '
BEGIN { count = split(rooms, list, " "); for (i = 1; i <= count; i++) rank[list[i]] = i
        rank["summary"] = rank["walk"]; rank["confirm"] = rank["init"] }
$1 == "has" { of[$2] = $3 }
$1 == "calls" { called[++n] = $2; by[n] = $3 }
END { for (i = 1; i <= n; i++) {
          room = of[called[i]]
          if (room && room != by[i] && rank[room] >= rank[by[i]] && !said[by[i], called[i]]++) {
              print by[i] "/ calls " called[i] "(), of " room "/"; bad = 1 }
      }
      exit bad }'
