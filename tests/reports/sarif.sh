#!/bin/bash
# SARIF: by the official schema where it can be had, and in what the schema does not say: references that resolve, columns that
# point at the access, flows that tell the story, suppressions from verdicts; whatever files are called.
root=$PWD
. "$(dirname "$0")/../cli/common.inc"
. "$root/tests/reports/hostile.inc"
command -v jq >/dev/null || { echo "there is no jq"; exit 77; }

# is NAME FILE FILTER: the filter says true of every value it gives, and gives one
is() {
    local got
    got=$(jq -c "$3" "$2" 2>&1 | sort | uniq -c | sed 's/^ *//')
    case $got in *' true') [[ $got != *$'\n'* ]] && ok "$1" || not_ok "$1" "$got" ;; *) not_ok "$1" "${got:-nothing}" ;; esac
}
structure() { # NAME FILE: what holds of every log
    is "$1: version" "$2" '.version == "2.1.0" and (.runs | length == 1)'
    is "$1: rules" "$2" '[.runs[0].tool.driver.rules[].id] == ["race","deadlock","double-lock","irq-deadlock","sleep-in-atomic","lock-leak","unlock-unheld","stale-check","stale-copy","escaped-object","check-then-act"]'
    is "$1: rules say what they are" "$2" '.runs[0].tool.driver.rules[] | .name != "" and (.shortDescription.text | length > 10) and
        (.fullDescription.text | length > 20) and (.help.text | length > 300) and (.help.markdown | contains("## How to fix it")) and
        (.properties.tags | any(test("^external/cwe/cwe-[0-9]+$"))) and (.relationships | length > 0)'
    is "$1: weaknesses resolve" "$2" '.runs[0] as $run | $run.tool.driver.rules[].relationships[].target |
        $run.taxonomies[.toolComponent.index].name == .toolComponent.name and $run.taxonomies[.toolComponent.index].taxa[.index].id == .id'
    is "$1: taxonomy is named" "$2" '.runs[0] | [.tool.driver.supportedTaxonomies[] | .name] == ["CWE"] and .taxonomies[0].name == "CWE"'
    is "$1: it says how it went" "$2" '.runs[0].invocations[0].executionSuccessful and .runs[0].columnKind == "utf16CodeUnits"'
    is "$1: notifications resolve" "$2" '.runs[0] as $run | true, ($run.invocations[0].toolExecutionNotifications[] |
        $run.tool.driver.notifications[.descriptor.index].id == .descriptor.id)'
    is "$1: rule indices" "$2" '.runs[0] as $run | $run.results[] | $run.tool.driver.rules[.ruleIndex].id == .ruleId'
    is "$1: artifacts" "$2" '.runs[0] as $run | $run | .. | objects | select(has("artifactLocation")) | .artifactLocation |
        .uri == $run.artifacts[.index].location.uri and (.uriBaseId == null or $run.originalUriBaseIds[.uriBaseId] != null)'
    is "$1: references are encoded" "$2" '.. | objects | select(has("artifactLocation")) | .artifactLocation.uri | test("^[A-Za-z0-9._~%/-]+$")'
    is "$1: ranks" "$2" '.runs[0].results[] | .rank > 0 and .rank < 100'
    is "$1: order of ranks" "$2" '.runs[0] | [.results[] | select(.properties.belowLine | not) | .rank] | . == (sort | reverse)'
    is "$1: fingerprints" "$2" '.runs[0].results[] | .partialFingerprints["racerxFingerprint/v2"] | test("^[0-9a-f]{16}$")'
    is "$1: fingerprints differ" "$2" '[.runs[0].results[].partialFingerprints["racerxFingerprint/v2"]] | length == (unique | length)'
    is "$1: flows" "$2" '.runs[0].results[] | .codeFlows | length == 1 and all(.[].threadFlows[]; .locations | length > 0 and
        all(.[]; .location.message.text != "" and .nestingLevel >= 0 and .executionOrder >= 1))'
    is "$1: sides end together" "$2" '.runs[0].results[] | [.codeFlows[0].threadFlows[].locations | last.executionOrder] | unique | length == 1'
    is "$1: steps in order" "$2" '.runs[0].results[].codeFlows[0].threadFlows[].locations | [.[].executionOrder] | . == (sort | unique)'
    is "$1: no links in messages" "$2" '.. | objects | select(has("message")) | .message.text | contains("](") | not'
    iconv -f UTF-8 -t UTF-8 "$2" >/dev/null 2>&1 && ok "$1: UTF-8" || not_ok "$1: UTF-8" "it is not"
}

# Region, snippet and source agree: a column counts UTF-16 units.
run run --quiet --format sarif "$root/examples"
expect examples 0
cp .out examples.sarif
structure examples examples.sarif
is "both kinds" examples.sarif '[.runs[0].results[].ruleId] | sort == ["deadlock","race"]'
is "a race has two threads" examples.sarif '.runs[0].results[] | select(.ruleId == "race") | [.codeFlows[0].threadFlows[].id] == ["A","B"]'
is "the chain is in it" examples.sarif '.runs[0].results[] | select(.ruleId == "deadlock") |
    [.codeFlows[0].threadFlows[1].locations[] | [.location.message.text, .nestingLevel]] ==
    [["takes rtc.c:rtc_task_lock", 0], ["calls rtc_task_clear", 0],
     ["takes rtc.c:rtc_lock holding interrupts off, rtc.c:rtc_task_lock", 1]]'
is "snippets" examples.sarif '.runs[0].results[] | select(.ruleId == "race") | .locations[0].physicalLocation |
    .region == {startLine: 44, startColumn: 5, endColumn: 15, snippet: {text: "total.done"}} and .contextRegion.startLine == 42 and
    (.contextRegion.snippet.text | split("\n") | length == 5 and (.[2] | startswith("    total.done++;")))'
is "nothing suppressed" examples.sarif '.runs[0].results[] | .suppressions == []'
is "levels" examples.sarif '[.runs[0].results[] | .level == (if .properties.score >= 0 then "error" else "warning" end)] | all' # half of them are true

# Verdicts and suppressions.
if command -v sqlite3 >/dev/null; then
    export RACERX_UNCHECKED=1 # another program writes
    give() { # RANK VERDICT NOTE
        sqlite3 .racerx/racerx.db "INSERT INTO verdicts_given (id, verdict, note, reviewer, time, kind, object, lock, file, function)
            SELECT id, '$2', '$3', 'me', 0, kind, object, lock, file, function FROM finding_rows WHERE rank = $1"
    }
    suppressions() { "$RACERX" report --format sarif "$@" | jq -c '.runs[0].results[0].suppressions'; }
    give 1 false 'never "both"'
    same false "$(suppressions)" '[{"kind":"external","status":"accepted","justification":"false: it cannot happen. never \"both\""}]'
    give 1 confirmed ''
    same confirmed "$(suppressions)" '[]'
    give 1 minor ''
    same minor "$(suppressions)" '[{"kind":"external","status":"accepted","justification":"minor: true, but harmless or not worth mending"}]'
    give 1 '' ''
    same taken-back "$(suppressions)" '[]'
    sqlite3 .racerx/racerx.db "UPDATE finding_rows SET suppressed = 'rtc.c:80: meant so' WHERE rank = 1"
    same in-source "$(suppressions --all)" '[{"kind":"inSource","status":"accepted","justification":"rtc.c:80: meant so"}]'
    sqlite3 .racerx/racerx.db "UPDATE finding_rows SET suppressed = 'racerx.suppress:3: later' WHERE rank = 1"
    same by-file "$(suppressions --all)" '[{"kind":"external","status":"accepted","justification":"racerx.suppress:3: later"}]'
    same left-out "$("$RACERX" report --format sarif | jq '.runs[0].results | length')" 1
fi

# Files that are called what nobody expects; a file that was not read, too.
hostile_tree hostile
ln -s nowhere hostile/broken.c
run run --quiet --all --format sarif hostile
expect hostile 0
cp .out hostile.sarif
structure hostile hostile.sarif
same all-of-them "$(jq '[.runs[0].results[] | select(.ruleId == "race")] | length' hostile.sarif)" "${#hostile_names[@]}"
is "columns in UTF-16 units" hostile.sarif '.runs[0].results[].locations[0].physicalLocation.region |
    .startLine == 11 and .startColumn == 18 and (.snippet.text | test("^shared[0-9]+$"))'
is "what was skipped is said" hostile.sarif '.runs[0].invocations[0].toolExecutionNotifications | any(.descriptor.id == "files-skipped" and .level == "warning")'
# The references are the names: decoded, each is a file.
jq -r '.runs[0].artifacts[].location.uri' hostile.sarif | while read -r uri; do
    printf -v path '%b' "${uri//%/\\x}"
    [ -f "hostile/$path" ] || echo "$uri"
done >lost
same "references resolve" "$(cat lost)" ''
# Without the sources there are no columns, and it is a log all the same.
mv hostile elsewhere
run report --all --format sarif
expect without-sources 0
cp .out gone.sarif
structure gone gone.sarif
is "no columns" gone.sarif '[.. | objects | select(has("startColumn") or has("snippet"))] == []'

# An empty list.
echo 'int f(void) { return 0; }' >empty.c
run run --quiet --format sarif empty.c
cp .out empty.sarif
same empty "$(jq -c '.runs[0] | [.results, .artifacts, .properties.files]' empty.sarif)" '[[],[],"1"]'

# The schema.
reason=$("$root/tests/fetch" ajv 6.12.6 j3fVLgvTo527anyYyJOGTYJbG+vnnQYvE0m5mmkc1TK+nxAppkCLMIL0aZ4dblVCNoGShhm+kzE4ZUykBoMg4g== npm/ajv &&
    "$root/tests/fetch" @microsoft/sarif-matcher-utils 1.0.0-beta.0 \
        JZzMgMK8nvSk6IDDjdC6HKbvj7knvatzwHmGAV5HeMe6kC6LFAy/a179Zzhw8lCKFXsR9siUm1H0nmc3KjcuZQ== npm/schema)
case $? in
0)
    if node "$root/tests/reports/validate.js" "$PWD/npm" ./*.sarif; then ok schema; else not_ok schema "see above"; fi
    # and it can say no
    jq '.runs[0].results[0].level = "grave"' examples.sarif >wrong.sarif
    node "$root/tests/reports/validate.js" "$PWD/npm" wrong.sarif >/dev/null && not_ok refusal "anything passes" || ok refusal
    ;;
77)
    [ "$failures" = 0 ] || finish
    echo "all but the schema: $reason"
    [ "${CI:-}" = true ] && { not_ok schema "$reason"; finish; }
    exit 77
    ;;
*) not_ok schema "$reason" ;;
esac
# What code hosts ask for.
mkdir hosts && cd hosts || exit 1
run run --quiet --format sarif "$root/examples"
cp "$work/.out" base.sarif
is "followed by id" base.sarif '.runs[0].results[].partialFingerprints | .primaryLocationLineHash == .["racerxFingerprint/v2"] + ":1"'
is "a category" base.sarif '.runs[0].automationDetails.id == "racerx/examples/"'
is "rules for hosts" base.sarif '.runs[0].tool.driver.rules[] | (.properties.precision | test("^(high|medium|low)$")) and (.helpUri | test("^https://"))'
is "no baseline" base.sarif '.runs[0].results[] | has("baselineState") | not'
cp .racerx/racerx.db old.db
"$RACERX" report --format sarif --baseline old.db >compared.sarif
is "known" compared.sarif '.runs[0].results[] | .baselineState == "unchanged"'
echo 'int empty;' >empty.c
"$RACERX" run --quiet --db none.db empty.c
"$RACERX" report --format sarif --baseline none.db >fresh.sarif
is "new" fresh.sarif '.runs[0].results[] | .baselineState == "new"'
"$RACERX" run --quiet --format sarif --baseline none.db "$root/examples" >ran.sarif 2>/dev/null
is "new in a run" ran.sarif '.runs[0].results[] | .baselineState == "new"'
"$RACERX" report --format sarif --no-flows >places.sarif
is "no flows" places.sarif '.runs[0].results[] | (has("codeFlows") | not) and has("relatedLocations")'
same "--top" "$("$RACERX" report --format sarif --top 1 | jq '.runs[0].results | length')" 1
finish
