#!/bin/bash
# What shells complete: every command, its options and the words that an option takes, as the program itself knows them.
. "$(dirname "$0")/common.inc"
for shell in bash zsh fish; do
    run completion $shell
    expect "completion for $shell" 0
    cp .out "racerx.$shell"
    for word in confirm predict changed-since markdown lock-leak; do
        grep -qF -- "$word" "racerx.$shell" && ok "$shell knows $word" || not_ok "$shell knows $word" ''
    done
    ! command -v $shell >/dev/null || { $shell -n "racerx.$shell" && ok "$shell can read it" || not_ok "$shell can read it" ''; }
done
complete_words() { # WORD...: what bash offers for the last of them
    bash -c '. ./racerx.bash; COMP_WORDS=(racerx "$@"); COMP_CWORD=$#; COMPREPLY=(); _racerx racerx "${!#}"; printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort | tr '\n' ' '
}
same commands "$(complete_words sh)" "show "
same options "$(complete_words report --no-f)" "--no-flows "
same formats "$(complete_words report --format mark)" "markdown "
same kinds "$(complete_words list --kind dead)" "deadlock "
run completion tcsh
expect "a shell that is not known" 2
finish
