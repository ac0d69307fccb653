#!/bin/bash
# Names and contents that were made to do harm do nothing in the page.
. "$(dirname "$0")/common.inc"
mkdir -p 'tree/<b>&amp;'
evil='"><img src=x onerror=alert(1)><script>alert(2)<.c'
{
    printf '#include <pthread.h>\n'
    printf '/* </script><script>alert(3)</script> --> <!-- </style> ]]> \xff\xfe\xc3( \xe2\x80\xae reversed \xe2\x80\xac \xe2\x80\xa8 \x01\x1b[2J */\n'
    sed -e 's|^#include.*||' \
        -e 's|counter_add(&total, 1);|counter_add(\&total, 1); // </pre></script><svg onload=alert(4)> \xe2\x80\xae|' \
        -e "s|total.done++;.*|total.done++; /* </noscript></template><iframe src=javascript:alert(5)> ' \" \\\\xff &lt;script> */ char *s = \"</script><script>alert(6)//\";|" \
        "$root/examples/counter.c"
} >"tree/<b>&amp;/$evil"
cp "$root/examples/rtc.c" $'tree/<b>&amp;/a\tb\n<script>alert(7)<.c'
"$RACERX" run --quiet --db hostile.db tree >/dev/null
"$RACERX" report --db hostile.db --format html -o hostile.html
exec node "$here/hostile.mjs" "$PWD"
