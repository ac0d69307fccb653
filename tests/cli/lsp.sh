#!/bin/bash
# racerx lsp with a small client: what an editor asks, in its order.
. "$(dirname "$0")/common.inc"
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }
mkdir "my tree"
cat >"my tree/shop.c" <<'E2'
#include <pthread.h>
static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static int money;
/* ä */ static void pay(int n)
{
    pthread_mutex_lock(&till);
    money += n;
    pthread_mutex_unlock(&till);
    pthread_mutex_lock(&till);
    money -= 1;
    pthread_mutex_unlock(&till);
}
static void *steal(void *x)
{
    pay(3);
    /* ö */ money = 0;
    return x;
}
int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, steal, 0);
    pthread_create(&t[1], 0, steal, 0);
    return 0;
}
E2
cd "my tree" || exit 1
echo 'int other(void) { return 0; }' >other.c
uri="file://$(pwd | sed 's/ /%20/g; s/+/%2B/g')"
say() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
ask() { say "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":$3}"; }
tell() { say "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"; }
document() { echo "{\"textDocument\":{\"uri\":\"$uri/$1\",\"languageId\":\"c\",\"version\":1,\"text\":\"\"}}"; }
begin() { ask 1 initialize "{\"processId\":null,\"rootUri\":\"$uri\",\"capabilities\":{}}"; tell initialized '{}'; }
finish_() { ask 99 shutdown null; tell exit null; }
talk() { "$RACERX" lsp "$@" 2>"$work/lsp.err" | tr -d '\r' | sed 's/Content-Length: [0-9]*$//' | grep '^{'; }
get() { jq -c "$1" <<<"$said"; }

# Without a database there is nothing to say, and no failure.
said=$({ begin; tell textDocument/didOpen "$(document shop.c)"; finish_; } | talk)
same no-database "$(get 'select(.method) | .params.diagnostics')" '[]'
same capabilities "$(get 'select(.id == 1) | .result.capabilities | [.hoverProvider, .codeActionProvider.codeActionKinds[0], .textDocumentSync.save]')" '[true,"quickfix",true]'

run run -q .
expect run 0
said=$({ begin; tell textDocument/didOpen "$(document shop.c)"; tell textDocument/didOpen "$(document other.c)"; finish_; } | talk)
same diagnostic "$(get 'select(.method and (.params.uri | endswith("shop.c"))) | .params.diagnostics[0] | [.range.start.line, .range.start.character, .range.end.character, .code, .source]')" '[15,12,17,"race","racerx"]'
same one-each "$(get 'select(.method) | .params.diagnostics | length' | tr '\n' ' ')" '1 0 '
same related "$(get 'select(.method and (.params.uri | endswith("shop.c"))) | .params.diagnostics[0].relatedInformation[0] | [.location.uri, .location.range.start.line, (.message | test("holding shop.c:till"))]')" "[\"$uri/shop.c\",6,true]"
id=$(get 'select(.method and (.params.uri | endswith("shop.c"))) | .params.diagnostics[0].data.id' | tr -d '"')
same shutdown "$(get 'select(.id == 99) | .result')" null

# Actions, hover, what is not known, what is no JSON.
diagnostic=$(get 'select(.method and (.params.uri | endswith("shop.c"))) | .params.diagnostics[0]')
said=$({
    begin
    ask 2 textDocument/codeAction "{\"textDocument\":{\"uri\":\"$uri/shop.c\"},\"range\":{},\"context\":{\"diagnostics\":[$diagnostic,{\"source\":\"cc\"}]}}"
    ask 3 textDocument/hover "{\"textDocument\":{\"uri\":\"$uri/shop.c\"},\"position\":{\"line\":6,\"character\":6}}"
    ask 4 textDocument/hover "{\"textDocument\":{\"uri\":\"$uri/shop.c\"},\"position\":{\"line\":12,\"character\":3}}"
    ask 5 textDocument/hover "{\"textDocument\":{\"uri\":\"$uri/gone.c\"},\"position\":{\"line\":9000,\"character\":3}}"
    ask 6 textDocument/rename '{}'
    say '{"id":'
    tell '$/cancelRequest' '{"id":6}'
    finish_
} | talk)
same actions "$(get 'select(.id == 2) | [.result[].title | split(" ")[1]]')" '["confirmed","unconfirmed","minor","false","silence"]'
same comment "$(get 'select(.id == 2) | .result[4].edit.changes["'"$uri"'/shop.c"][0] | [.range.start.line, .newText]')" '[15,"/* racerx: ignore race REASON */\n"]'
same hover "$(get 'select(.id == 3) | .result.contents.value | test("^`shop.c:money` is guarded by `shop.c:till`: held in 2 of 3 places.*not in `steal` shop.c:16$")')" true
same hover-nothing "$(get 'select(.id == 4 or .id == 5) | .result' | tr '\n' ' ')" 'null null '
same unknown "$(get 'select(.id == 6) | .error.code')" -32601
same no-json "$(get 'select(.id == null and .error) | .error.code')" -32700

# A verdict takes it away, at once; another run is seen at the next save.
said=$({
    begin
    tell textDocument/didOpen "$(document shop.c)"
    ask 7 workspace/executeCommand "{\"command\":\"racerx.verdict\",\"arguments\":[\"$id\",\"false\"]}"
    ask 8 workspace/executeCommand "{\"command\":\"racerx.verdict\",\"arguments\":[\"$id\",\"maybe\"]}"
    ask 9 workspace/executeCommand '{"command":"racerx.verdict","arguments":["0123","false"]}'
    tell textDocument/didSave "$(document shop.c)"
    tell textDocument/didClose "$(document shop.c)"
    tell textDocument/didSave "$(document shop.c)"
    finish_
} | talk)
same judged "$(get 'select(.method) | .params.diagnostics | length' | tr '\n' ' ')" '1 0 0 '
same errors "$(get 'select(.id == 8 or .id == 9) | .error.code' | tr '\n' ' ')" '-32602 -32803 '
same kept "$("$RACERX" list --format jsonl --verdict false | jq -r .id)" "$id"

# A file that was changed since keeps its diagnostics, and says so; the end of input is an end.
"$RACERX" mark "$id" none >/dev/null
echo >>shop.c
said=$({ begin; tell textDocument/didOpen "$(document shop.c)"; } | talk)
same changed "$(get 'select(.method) | .params.diagnostics[0].message | test("changed since")')" true
printf 'Content-Length: 99999999999\r\n\r\n' | "$RACERX" lsp >/dev/null 2>&1
same too-long "$?" 2
{ begin; tell exit null; } | "$RACERX" lsp >/dev/null
same exit-without-shutdown "$?" 1
finish
