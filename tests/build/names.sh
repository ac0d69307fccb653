# One name of a type has one meaning: no two files of the program have their own type of one name.
# racerx/confirm/runtime is no part of the program: it runs in others.
set -eu
twice=$(grep -HoE '^\} [A-Z][A-Za-z0-9]*;|^struct [A-Z][A-Za-z0-9]* \{' -r base annotators extract racerx rank reports --include='*.[ch]' |
    grep -v '^racerx/confirm/runtime/' | sed -E 's/:\} |:struct /:/; s/[; {]+$//' | sort -u |
    awk -F: '{ files[$2] = files[$2] " " $1; count[$2]++ } END { for (name in count) if (count[name] > 1) print name ":" files[name] }' | sort)
[ -z "$twice" ] || { echo "types of one name:"; echo "$twice"; exit 1; }
