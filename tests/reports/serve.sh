#!/bin/bash
# racerx review, asked byte by byte: who may ask what (token, Host, Origin, method, path), what it takes for a verdict, reviewers
# at the same time, a database that is locked, replaced or gone, ports, signals.
. "$(dirname "$0")/../cli/common.inc"
server=
trap '' PIPE # whoever is refused in the middle of a request notices while writing
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT

# tree NUMBER: a program with so many counters that two threads write without their lock.
tree() {
    rm -rf tree
    mkdir tree
    {
        printf '#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n'
        for ((i = 0; i < $1; i++)); do
            printf 'static long c%d;\nstatic void *w%d(void *x) { pthread_mutex_lock(&m); c%d++; pthread_mutex_unlock(&m);\n' $i $i $i
            printf ' pthread_mutex_lock(&m); c%d += 2; pthread_mutex_unlock(&m); return x; }\n' $i
            printf 'static void *v%d(void *x) { c%d = 0; return x; }\n' $i $i
        done
        printf 'int main(void) { pthread_t t;\n'
        for ((i = 0; i < $1; i++)); do
            printf ' pthread_create(&t, 0, w%d, 0); pthread_create(&t, 0, v%d, 0);\n' $i $i
        done
        printf ' return 0; }\n'
    } >tree/a.c
}
# start WORD...: the server; its address in $url, $port and $token, its process in $server.
start() {
    rm -f said
    : >said
    "$RACERX" review "$@" >>said 2>complaints &
    server=$!
    for ((tries = 0; tries < 200; tries++)); do
        [ "$(wc -l <said)" -ge 2 ] && break
        sleep 0.05
    done
    url=$(head -n 1 said)
    port=${url#http://127.0.0.1:}
    port=${port%%/*}
    token=${url%/}
    token=${token##*/}
}
# stop SIGNAL: ends it; its status in $status.
stop() {
    kill "-$1" "$server"
    wait "$server"
    status=$?
    server=
}
# send TEXT [FILE]: these bytes, then the file's, to the server; the answer in $head and $body, its status in $code.
send() {
    exec 3<>"/dev/tcp/127.0.0.1/$port" || { code=none head='' body=''; return; }
    printf '%s' "$1" >&3 2>/dev/null
    [ $# -lt 2 ] || cat "$2" >&3 2>/dev/null
    timeout 20 cat <&3 >answer 2>/dev/null
    exec 3>&- 3<&-
    tr -d '\r' <answer 2>/dev/null | sed '/^$/q' >head
    head=$(cat head)
    body=$(tr -d '\0' <answer | sed '1,/^\r*$/d')
    code=$(sed -n '1s/^HTTP\/1.1 \([0-9]*\).*/\1/p' head)
}
newline=$'\r\n'
# ask METHOD PATH [HEADER]...: under the token.
ask() {
    local text="$1 /$token/$2 HTTP/1.1${newline}Host: 127.0.0.1:$port${newline}Connection: close$newline"
    shift 2
    for header; do text+="$header$newline"; done
    send "$text$newline"
}
# post JSON [HEADER]...: a verdict, as the page sends it.
post() {
    local json=$1 text="POST /$token/api/verdict HTTP/1.1${newline}Host: 127.0.0.1:$port${newline}Connection: close$newline"
    shift
    [ $# -gt 0 ] || set -- "X-Racerx-Token: $token" "Content-Type: application/json"
    for header; do text+="$header$newline"; done
    printf '%s' "$json" >request
    send "${text}Content-Length: $(wc -c <request)$newline$newline" request
}
# verdict ID WORD [NOTE] [REVIEWER] [SEEN]
verdict() { post "{\"id\":\"$1\",\"verdict\":\"$2\",\"note\":\"${3-}\",\"reviewer\":\"${4-}\",\"seen\":${5-0}}"; }
is() { # NAME CODE [TEXT]: the last answer was so
    if [ "$code" != "$2" ]; then
        not_ok "$1" "answer ${code:-none}, not $2: ${body:0:200}"
    elif [ $# -gt 2 ] && [[ $body != *"$3"* ]]; then
        not_ok "$1" "no '$3' in: ${body:0:300}"
    else
        ok "$1"
    fi
}
sequence() { ask GET api/state; [[ $body =~ \"sequence\":([0-9]+) ]] && echo "${BASH_REMATCH[1]}"; }

tree 6
run run --quiet tree
expect analysed 0
mapfile -t ids < <("$RACERX" report --format jsonl --all | sed 's/^{"rank":[0-9]*,"id":"\([0-9a-f]*\)".*/\1/')
[ ${#ids[@]} -ge 6 ] && ok findings || not_ok findings "${#ids[@]} findings, 6 at least are wanted"

# what it says, and where it listens --------------------------------------------------------
start
[[ $url =~ ^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/$ ]] && ok url || not_ok url "$(cat said complaints)"
[[ $(sed -n 2p said) == *Ctrl-C* ]] && ok how-to-stop || not_ok how-to-stop "$(cat said)"
first_token=$token
exec 4<>"/dev/tcp/127.0.0.1/$port" # somebody who never ends what they ask; looked at again below
printf 'GET /' >&4
if [ -r /proc/net/tcp ]; then
    hex=$(printf '%04X' "$port")
    same only-loopback "$(awk -v p=":$hex" '$4 == "0A" && substr($2, 9) == p { print $2 }' /proc/net/tcp)" "0100007F:$hex"
fi

# the page and its headers
ask GET ''
is page 200
for header in 'Cache-Control: no-store' 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' 'X-Frame-Options: DENY' \
    "Content-Security-Policy: default-src 'none'" "connect-src 'self'" "frame-ancestors 'none'" 'Content-Type: text/html; charset=utf-8'; do
    [[ $head == *"$header"* ]] && ok "page-header ${header%%:*}" || not_ok "page-header ${header%%:*}" "$head"
done
[[ $head != *unsafe* ]] && ok no-unsafe-policy || not_ok no-unsafe-policy "$head"
ask GET api/state
is state 200 '"progress":{"reviewed":0,'
cp answer state1
ask GET api/state
cmp -s answer state1 && ok same-answer-twice || not_ok same-answer-twice "$(diff answer state1 | head -n 3)"
length=$(sed -n 's/^Content-Length: //p' head)
ask HEAD api/state
is head 200
same head-has-no-body "$body" ''
[[ $head == *"Content-Length: $length"* ]] && ok head-length || not_ok head-length "$head"

# who may ask --------------------------------------------------------------------------------
bad_host() { # NAME HOST-LINES
    send "GET /$token/api/state HTTP/1.1$newline$2Connection: close$newline$newline"
    [ "$code" == 403 ] || [ "$code" == 400 ] && ok "host $1" || not_ok "host $1" "$code"
    [[ $body != *findings* ]] || not_ok "host $1 body" "$body"
}
bad_host other "Host: evil.example:$port$newline"
bad_host no-port "Host: 127.0.0.1$newline"
bad_host other-port "Host: 127.0.0.1:1$newline"
bad_host suffix "Host: 127.0.0.1:$port.evil.example$newline"
bad_host prefix "Host: evil.127.0.0.1:$port$newline"
bad_host two "Host: 127.0.0.1:$port${newline}Host: evil.example$newline"
bad_host none ''
send "GET /$token/api/state HTTP/1.0$newline$newline"
[ "$code" != 200 ] && ok host-of-1.0 || not_ok host-of-1.0 "$code"
for host in "localhost:$port" "LocalHost:$port" "[::1]:$port"; do
    send "GET /$token/api/state HTTP/1.1${newline}Host: $host${newline}Connection: close$newline$newline"
    is "host $host" 200
done
for origin in null "http://evil.example" "http://127.0.0.1" "http://127.0.0.1:1" "https://127.0.0.1:$port" "http://127.0.0.1:$port.evil.example" "127.0.0.1:$port" ''; do
    ask GET api/state "Origin: $origin"
    is "origin '$origin'" 403
done
ask GET api/state "Origin: http://127.0.0.1:$port"
is own-origin 200
ask GET api/state "Origin: http://localhost:$port"
is own-origin-name 200

other=$(printf '%s' "$token" | tr 0123456789abcdef 123456789abcdef0)
for path in "/" "/$other/" "/$other/api/state" "/${token}0/" "/${token:0:31}/" "/$token" "/${token^^}/" "//$token/" "/./$token/" "/%2e/$token/" "/api/state" \
    "/$token/../../etc/passwd" "/$token/../$token/" "/$token/%2e%2e/%2e%2e/etc/passwd" "/$token/..%2f..%2fetc/passwd" \
    "/$token/%00" "/$token/api/state%00" "/$token/api%2fstate" "/$token/api/state/" "/$token/api//state" "/$token/api" "/$token/api/verdict/" \
    "/$token/....//etc/passwd" "/etc/passwd" "http://127.0.0.1:$port/$token/" "/$token/%61pi/state" "/$token/index.html"; do
    send "GET $path HTTP/1.1${newline}Host: 127.0.0.1:$port${newline}Connection: close$newline$newline"
    is "not found ${path//$token/TOKEN}" 404
    [[ $body != *root:* && $body != *findings* ]] || not_ok "body of ${path//$token/TOKEN}" "$body"
done
for method in PUT DELETE OPTIONS PATCH TRACE CONNECT get BREW; do
    ask $method api/state
    [ "$code" == 405 ] || [ "$code" == 501 ] || [ "$code" == 400 ] && ok "method $method" || not_ok "method $method" "${code:-none}"
done
ask POST api/state "Content-Length: 0" "X-Racerx-Token: $token" "Content-Type: application/json"
is post-to-what-is-read 405
ask GET api/verdict
is get-of-what-is-written 405

# who may write: without the token's header nothing changes
good="{\"id\":\"${ids[0]}\",\"verdict\":\"confirmed\"}"
post "$good" "Content-Type: application/json"
is post-without-header 403
post "$good" "Content-Type: application/json" "X-Racerx-Token: $other"
is post-with-other-token 403
post "$good" "Content-Type: application/json" "X-Racerx-Token: $token" "X-Racerx-Token: $token"
is post-with-two-tokens 403
post "$good" "X-Racerx-Token: $token" "Content-Type: text/plain"
is post-of-text 415
post "$good" "X-Racerx-Token: $token"
is post-of-nothing-said 415
post "$good" "X-Racerx-Token: $token" "Content-Type: application/jsonp"
is post-of-another-type 415
post "$good" "X-Racerx-Token: $token" "Content-Type: application/json" "Origin: http://evil.example"
is post-of-another-page 403
same nothing-was-written "$(sequence)" 0

# what is a verdict --------------------------------------------------------------------------
refused() { # NAME JSON
    post "$2"
    is "refused $1" 400 '{"error":"'
}
refused empty ''
refused no-json 'verdict=false'
refused cut "${good%\}}"
refused more "$good$good"
refused array "[$good]"
refused number 17
refused no-id '{"verdict":"false"}'
refused no-verdict "{\"id\":\"${ids[0]}\"}"
refused unknown-verdict "{\"id\":\"${ids[0]}\",\"verdict\":\"maybe\"}"
refused verdict-number "{\"id\":\"${ids[0]}\",\"verdict\":4}"
refused null-note "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":null}"
refused unknown-key "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"extra\":1}"
refused doubled-key "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"verdict\":\"minor\"}"
refused negative-seen "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"seen\":-1}"
refused huge-seen "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"seen\":99999999999999999999}"
refused fraction-seen "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"seen\":1.5}"
refused nul "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"a\\u0000b\"}"
refused escape "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"\\u001b[2J\"}"
refused c1 "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"\\u009b2J\"}"
refused raw-newline "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"a"$'\n'"b\"}"
refused lone-surrogate "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"\\ud800\"}"
refused not-utf-8 "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\""$'\xff\xfe'"\"}"
refused overlong-utf-8 "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\""$'\xc0\xaf'"\"}"
refused deep "$(printf '[%.0s' {1..5000})"
refused long-note "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"note\":\"$(printf 'x%.0s' {1..4097})\"}"
refused long-reviewer "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"reviewer\":\"$(printf 'x%.0s' {1..101})\"}"
refused reviewer-of-two-lines "{\"id\":\"${ids[0]}\",\"verdict\":\"false\",\"reviewer\":\"a\\nb\"}"
post '{"id":"0000000000000000","verdict":"false"}'
is unknown-id 404
head -c 100000 /dev/zero | tr '\0' x >large
post "$(cat large)"
is too-large 413
ask POST api/verdict "X-Racerx-Token: $token" "Content-Type: application/json" "Content-Length: 99999999999"
is far-too-large 413
# in pieces, none of whose sizes is said beforehand
{
    for ((i = 0; i < 90; i++)); do
        printf '400\r\n'
        head -c 1024 large
        printf '\r\n'
    done
    printf '0\r\n\r\n'
} >pieces
send "POST /$token/api/verdict HTTP/1.1${newline}Host: 127.0.0.1:$port${newline}Connection: close${newline}X-Racerx-Token: $token${newline}Content-Type: application/json${newline}Transfer-Encoding: chunked$newline$newline" pieces
is too-large-in-pieces 413
ask GET api/state "X-Long: $(head -c 60000 large)"
[ "$code" != 200 ] && ok long-headers || not_ok long-headers "$code"
same still-nothing-written "$(sequence)" 0

# verdicts -----------------------------------------------------------------------------------
verdict "${ids[0]}" confirmed 'two\nlines </script><img src=x onerror=alert(1)> \"q\" \\ ü' ann
is verdict 200 '"others":false'
[[ $body == *'"sequence":1'* && $body == *'"reviewer":"ann"'* ]] && ok verdict-answer || not_ok verdict-answer "$body"
ask GET api/state
is verdict-in-state 200 '"verdict":"confirmed","note":"two\nlines </script><img src=x onerror=alert(1)> \"q\" \\ ü","reviewers":["ann"]'
[[ $body == *'"progress":{"reviewed":1,'*'"real":1,"false":0,"precision":1}'* ]] && ok progress || not_ok progress "${body: -200}"
ask GET 'api/state?since=1'
is nothing-new 204
same nothing-new-body "$body" ''
ask GET 'api/state?since=0'
is something-new 200
ask GET 'api/state?since=x'
is since-no-number 200
verdict "${ids[0]}" false 'no, it cannot' bob 0
is verdict-of-another 200 '"others":true'
[[ $body == *'"reviewer":"ann"'*'"reviewer":"bob"'* ]] && ok both-in-history || not_ok both-in-history "$body"
verdict "${ids[0]}" false 'no, it cannot' bob 2
is verdict-of-oneself 200 '"others":false'
ask GET "api/history?id=${ids[0]}"
same history "$(grep -o '"sequence":[0-9]*,"verdict":"[a-z]*"' answer | tr '\n' ' ')" \
    '"sequence":1,"verdict":"confirmed" "sequence":2,"verdict":"false" "sequence":3,"verdict":"false" '
ask GET "api/history?id=nonesuch"
is history-of-nothing 404
ask GET "api/history"
is history-of-no-id 404
verdict "${ids[1]}" minor
verdict "${ids[2]}" unconfirmed
ask GET api/state
[[ $body == *'"progress":{"reviewed":3,'*'"real":1,"false":1,"precision":0.5}'* ]] && ok progress-of-four-words || not_ok progress-of-four-words "${body: -200}"
verdict "${ids[2]}" ''
is taken-back 200
ask GET api/state
[[ $body == *'"progress":{"reviewed":2,'* ]] && ok progress-after-taking-back || not_ok progress-after-taking-back "${body: -200}"
for format in jsonl csv sarif html; do
    ask GET "api/export?format=$format"
    is "export $format" 200
    [[ $head == *"attachment; filename=\"racerx.$format\""* ]] && ok "export $format name" || not_ok "export $format name" "$head"
done
ask GET 'api/export?format=jsonl'
same export-is-the-report "$(sed '1,/^\r*$/d' answer | cksum)" "$("$RACERX" report --format jsonl --all | cksum)"
ask GET 'api/export?format=../x'
is export-of-nothing 404

# the list moves, and says why
ask GET api/state
is moved 200 'reviewed finding'
[[ $(grep -o '"below_line":false,"verdict":"false"' answer | wc -l) == 1 ]] && ok false-keeps-its-place || not_ok false-keeps-its-place "${body:0:600}"
# one who was there all the time and one who comes now see the same
grep -v '^"progress' answer | sed '1,/^\r*$/d' >seen-by-one
one=$server one_port=$port one_token=$token
start
ask GET api/state
sed '1,/^\r*$/d' answer | grep -v '^"progress' >seen-by-two
cmp -s seen-by-one seen-by-two && ok the-same-list || not_ok the-same-list "$(diff seen-by-one seen-by-two | head -c 600)"
verdict "${ids[3]}" false 'by the second server'
is second-server 200
stop TERM
server=$one port=$one_port token=$one_token
ask GET api/state
is seen-by-the-first 200 'by the second server'

# slow, broken and many clients --------------------------------------------------------------
exec 5<>"/dev/tcp/127.0.0.1/$port"
printf 'POST /%s/api/verdict HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nX-Racerx-Token: %s\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{' "$token" "$port" "$token" >&5
ask GET api/state
is beside-slow-ones 200
exec 5>&- 5<&-
crowd=()
for ((i = 0; i < 200; i++)); do
    exec {one_of_them}<>"/dev/tcp/127.0.0.1/$port" || break
    printf 'GET /%s/api/state HTTP/1.1\r\nHo' "$token" >&$one_of_them
    crowd+=($one_of_them)
done
began=$EPOCHREALTIME
ask GET api/state
is beside-a-crowd-of-slow-ones 200
awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { exit b - a > 5 }' && ok at-once || not_ok at-once "it took $began to $EPOCHREALTIME"
for one_of_them in "${crowd[@]}"; do exec {one_of_them}>&-; done
for ((i = 0; i < 5; i++)); do # gone before the answer
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /%s/api/export?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "$token" "$port" >&5
    exec 5>&- 5<&-
done
head -c 20000 /dev/urandom >noise
send '' noise
ask GET api/state
is after-noise 200

# Two reviewers, 200 verdicts each; none is lost, though they say it of the same findings.
before=$(sequence)
reviewer() { # NAME: 200 verdicts on one connection
    local i words=(confirmed false minor unconfirmed) json
    exec 6<>"/dev/tcp/127.0.0.1/$port"
    for ((i = 0; i < 200; i++)); do
        json="{\"id\":\"${ids[i % 4]}\",\"verdict\":\"${words[i % 4]}\",\"note\":\"$1 $i\",\"reviewer\":\"$1\",\"seen\":0}"
        printf 'POST /%s/api/verdict HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nX-Racerx-Token: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s' \
            "$token" "$port" "$token" ${#json} "$([ $i -lt 199 ] || printf 'Connection: close\r\n_')" "$json" | sed 's/^_//' >&6
    done
    timeout 100 cat <&6 >"of-$1"
    exec 6>&- 6<&-
}
reviewer carl &
one=$!
reviewer dora &
two=$!
wait $one $two # the server goes on
same all-were-answered "$(grep -c '^HTTP/1.1 200' of-carl),$(grep -c '^HTTP/1.1 200' of-dora)" "200,200"
same all-were-counted "$(sequence)" $((before + 400))
for ((i = 0; i < 4; i++)); do ask GET "api/history?id=${ids[i]}"; cat answer; done >histories
for name in carl dora; do
    grep -o "\"note\":\"$name [0-9]*\"" histories | sort -u | wc -l >count
    same "all of $name are kept" "$(cat count)" 200
done
run report --format jsonl --all
[[ $out == *'"note":"'*199* ]] && ok the-report-has-them || not_ok the-report-has-them "${out:0:200}"

# the slow one was let go by now, or is when its time is over: 15 seconds since it began
timeout 20 cat <&4 >/dev/null && ok slow-request-is-dropped || not_ok slow-request-is-dropped "still there after 20 seconds"
exec 4>&- 4<&-

# the database, used by others ------------------------------------------------------------------
before=$(sequence)
flock .racerx/racerx.db.lock sleep 7 & # as a run does for minutes
holder=$!
sleep 0.3
verdict "${ids[0]}" minor busy ann
is locked 503 'try again'
[[ $head == *'Retry-After: '* ]] && ok locked-retry-after || not_ok locked-retry-after "$head"
ask GET api/state
is reading-goes-on 200
wait $holder
verdict "${ids[0]}" minor 'not busy' ann
is unlocked 200
[[ $body != *'"note":"busy"'* ]] && ok refused-is-not-written || not_ok refused-is-not-written "$body"

# a new run meanwhile: findings are others, verdicts stay
[[ $(head -c 200 state1; cat state1) == *'"generation":1,'* ]] && ok generation || not_ok generation "$(head -n 12 state1)"
now=$(sequence)
tree 8
run run --quiet tree
expect analysed-again 0
ask GET "api/state?since=$now&generation=1"
is replaced 200 '"generation":2,'
mapfile -t others < <(grep -o '"id":"[0-9a-f]*"' answer | cut -d'"' -f4)
[ ${#others[@]} -gt ${#ids[@]} ] && ok replaced-findings || not_ok replaced-findings "${#others[@]} after ${#ids[@]}"
[[ $body == *'"note":"not busy"'* ]] && ok verdicts-stay || not_ok verdicts-stay "${body:0:300}"
ask GET "api/state?since=$now&generation=2"
is replaced-once 204

# gone: what is in memory is shown, nothing is written elsewhere
mv .racerx/racerx.db away.db
ask GET api/state
is gone-is-shown 200 '"generation":2,'
verdict "${ids[0]}" false
is gone-is-not-written 503 'gone'
[ ! -e .racerx/racerx.db ] && ok gone-is-not-made || not_ok gone-is-not-made "$(ls .racerx)"
echo 'something else' >.racerx/racerx.db
ask GET api/state
is no-database-is-shown 200 '"generation":2,'
verdict "${ids[0]}" false
is no-database-is-not-written 503 'not a database'
same no-database-is-left "$(cat .racerx/racerx.db)" 'something else'
mv away.db .racerx/racerx.db
verdict "${ids[0]}" false back
is back-again 200
# another one in its place
"$RACERX" run --quiet --db other.db tree >/dev/null
mv other.db .racerx/racerx.db
ask GET "api/state?since=$(sequence)&generation=2"
is another-database 200 '"sequence":0,"generation":3,'

# ports and signals ---------------------------------------------------------------------------
run review --port "$port"
expect_line port-taken 2 "port $port is taken"
run review --port 0
expect_line port-zero 2 "from 1 to 65535"
run review --port 70000
expect_line port-large 2 "from 1 to 65535"
run review --port x
expect_line port-word 2 "from 1 to 65535"
run review tree
expect_line no-path 2 "takes no PATH"
run review --db none.db
expect_line no-database 2 "there is no database"
same nothing-said-of-requests "$(grep -c "$token" complaints)" 0
first=$server first_port=$port
start
[ "$port" != "$first_port" ] && ok another-port || not_ok another-port "$port"
[ "$token" != "$first_token" ] && ok another-token || not_ok another-token "$token"
ask GET api/state
is on-another-port 200
stop INT
same interrupted "$status" 0
server=$first port=$first_port token=$first_token
# told to go while a verdict waits for the lock: it is written first
flock .racerx/racerx.db.lock sleep 1.5 &
sleep 0.2
(verdict "${others[0]}" minor 'the last word'; echo "$code" >last) &
last=$!
sleep 0.4
stop TERM
same terminated "$status" 0
wait $last
same terminated-after-writing "$(cat last)" 200
run report --format jsonl --all
[[ $out == *'the last word'* ]] && ok terminated-after-writing-it || not_ok terminated-after-writing-it "${out:0:300}"
finish
