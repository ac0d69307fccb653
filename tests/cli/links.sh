#!/bin/bash
# A tree may have been made by somebody who wants to see what only we can read: links out of it are not followed.
. "$(dirname "$0")/common.inc"
mkdir tree secret
printf '#include "key.h"\nint f(int a)\n{\n\treturn key_%s(a);\n}\n' x >tree/a.c
printf 'static inline int key_x(int a)\n{\n\treturn a + 4711;\n}\n' >secret/key.h
echo 'annotate_this_is_no_lua_4711(' >secret/racerx.lua
echo 'password 4711' >secret/racerx.suppress
echo '[{"directory": "/", "file": "a.c", "command": "cc -DSECRET=4711 a.c"' >secret/compile_commands.json
for name in key.h racerx.lua racerx.suppress compile_commands.json; do ln -s ../secret/$name tree/$name; done
silent() { # NAME: status 0, and nothing of what lies outside
    expect "$1" 0
    [[ $out$err == *4711* ]] && not_ok "$1 shows nothing of it" "$out$err" || ok "$1 shows nothing of it"
}
run run tree
silent "run"
[[ $err == *"skipped key.h: a symbolic link out of the tree"* ]] && ok "the header is named" || not_ok "the header is named" "$err"
[[ $err == *"compile_commands.json: a symbolic link out"* ]] && ok "so is compile_commands.json" || not_ok "so is compile_commands.json" "$err"
[[ $err == *"racerx.lua leads out of the tree"* ]] && ok "so is racerx.lua" || not_ok "so is racerx.lua" "$err"
rm tree/racerx.lua
run run tree
silent "run without it"
[[ $err == *"racerx.suppress leads out of the tree"* ]] && ok "so is racerx.suppress" || not_ok "so is racerx.suppress" "$err"
ln -s ../secret/racerx.lua tree/racerx.lua
for command in locks functions roots "callers f" "dump a.c" list; do
    run $command
    silent "$command"
done
cp tree/a.c alone.c
rm -rf one
mkdir one
cp tree/a.c one/a.c
ln -s ../secret/key.h one/key.h
run run --db one.db one/a.c
silent "one file"
[[ $err == *"skipped key.h: a symbolic link out"* ]] && ok "its header is named" || not_ok "its header is named" "$err"
mkdir one/sub
ln -s ../../secret one/sub/out
printf '#include "sub/out/key.h"\nint f(int a)\n{\n\treturn key_x(a);\n}\n' >one/a.c
run extract --db one.db one/a.c
same "a link in the middle" "$(functions one.db)" "a.c:f"

# What stays inside is followed, and with --follow-links all is.
mkdir inner inner/sub
printf 'int g(void) { return 1; }\n' >inner/sub/g.h
ln -s sub/g.h inner/g.h
printf -- '-- nothing\n' >inner/sub/racerx.lua
ln -s sub/racerx.lua inner/racerx.lua
printf '#include "g.h"\nint f(void) { return g(); }\n' >inner/a.c
run run --db inner.db inner
expect "links inside" 0
[[ $err == *"link"* || $err == *"leads out"* ]] && not_ok "nothing is said of them" "$err" || ok "nothing is said of them"
rm tree/racerx.lua tree/racerx.suppress tree/compile_commands.json
run run --follow-links tree
expect "--follow-links" 0
same "reads what they lead to" "$(functions .racerx/racerx.db | tr '\n' ' ')" "a.c:f key.h:key_x "
printf 'lock { acquire = "take", release = "give", arg = 1, kind = "mutex" }\n' >secret/racerx.lua
ln -s ../secret/racerx.lua tree/racerx.lua
run run --follow-links tree
expect "a script behind a link" 0
[[ $err == *"leads out"* ]] && not_ok "is read" "$err" || ok "is read"
run locks
[[ $err == *"leads out"* ]] && not_ok "later commands remember" "$err" || ok "later commands remember"
run run tree
run locks
[[ $err == *"leads out"* ]] && ok "and forget with it" || not_ok "and forget with it" "$err"
finish
