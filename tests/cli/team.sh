#!/bin/bash
# What a team does: only what a change has to do with, verdicts in a file beside the code, whose code it is.
. "$(dirname "$0")/common.inc"
command -v git >/dev/null || { echo "no git"; exit 77; }
git_() { git -C tree -c user.name=me -c user.email=me@example.org "$@" >/dev/null 2>&1; }
mkdir -p tree/net tree/fs
part() { # FILE NAME: a counter with a race; its writer is called by another function
    cat >"tree/$1" <<E2
#include <pthread.h>
static int $2_total;
static pthread_mutex_t $2_lock = PTHREAD_MUTEX_INITIALIZER;

void $2_add(int n)
{
    pthread_mutex_lock(&$2_lock);
    $2_total += n;
    pthread_mutex_unlock(&$2_lock);
}

static int $2_helper(int n)
{
    return n + 1;
}

void $2_reset(void)
{
    $2_total = $2_helper(-1);
}

void *$2_loop(void *x)
{
    $2_add(1);
    $2_reset();
    return 0;
}
E2
}
part net/a.c alpha
part fs/b.c beta
cat >tree/main.c <<'E2'
#include <pthread.h>
void *alpha_loop(void *), *beta_loop(void *);
int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, alpha_loop, 0);
    pthread_create(&t[1], 0, alpha_loop, 0);
    pthread_create(&t[2], 0, beta_loop, 0);
    pthread_create(&t[3], 0, beta_loop, 0);
    return 0;
}
E2
git_ init -q && git_ add -A && git_ commit -qm one
run run -q tree
expect run 0
files() { "$RACERX" list --format jsonl "$@" 2>/dev/null | sed 's/.*"file":"\([^"]*\)","line".*"function":"[^"]*","verdict.*/\1/; s/.*"lock":"[^"]*","file":"\([^"]*\)".*/\1/' | sort -u | tr '\n' ' '; }
same both "$(files)" "fs/b.c net/a.c "

# Changes -------------------------------------------------------------------------
same nothing-changed "$(files --changed-since HEAD)" ""
sed -i 's/return n + 1;/return n + 2;/' tree/net/a.c # a callee of what races
run run -q tree
same not-committed "$(files --changed-since HEAD)" "net/a.c "
git_ commit -qam two
same committed "$(files --changed-since HEAD)" ""
same committed-since "$(files --changed-since HEAD~1)" "net/a.c "
run run -q --format jsonl --changed-since HEAD~1 --fail-on-new tree
same run-shows "$(grep -c '"file":"net/a.c"' <<<"$out")$(grep -c '"file":"fs/b.c"' <<<"$out")" 10
same run-status "$status" 1
run run -q --format jsonl --changed-since HEAD --fail-on-new tree
expect run-status-nothing 0
part fs/c.c gamma
run run -q tree
same unknown-to-git "$(files --changed-since HEAD | grep -c fs/c.c)$(files --changed-since HEAD | grep -c net/a.c)" 00
sed -i 's/beta_loop(void \*);/beta_loop(void *), *gamma_loop(void *);/; s/    return 0;/    pthread_create(\&t[0], 0, gamma_loop, 0);\n    pthread_create(\&t[1], 0, gamma_loop, 0);\n    return 0;/' tree/main.c
run run -q tree
same new-file "$(files --changed-since HEAD)" "fs/c.c "
run list --changed-since nowhere
expect no-revision 2 'has this revision'
run list --changed-since --output=x
expect no-option 2 'is no revision'
mkdir plain && cp tree/net/a.c plain && GIT_CEILING_DIRECTORIES=$work run run -q --db plain.db --changed-since HEAD plain
expect no-git 2 'in a git tree'
run run -q --fail-on-new tree
expect needs-something 2 'changed-since'

# Owners ----------------------------------------------------------------------------
run list --owner @net
expect no-owners-file 2 'CODEOWNERS'
mkdir tree/.github
printf '# who\n*  @all\n/net/ @net @org/second # both\nfs/*.c dev@example.org\n*.h @headers\nfs/c.c\n' >tree/.github/CODEOWNERS
same owner-net "$(files --owner @net)" "net/a.c "
same owner-second "$(files --owner 'org/*')" "net/a.c "
same owner-mail "$(files --owner dev@example.org)" "fs/b.c "
same owner-nobody "$(files --owner none)" "fs/c.c "
same owner-overruled "$(files --owner @all)" ""
printf '[Files] @files\nfs/\n[Net] @net\nnet/a.c\n^[Maybe]\n**/c.c @deep\n' >tree/.github/CODEOWNERS
same section "$(files --owner @files)" "fs/b.c "
same deep "$(files --owner deep)" "fs/c.c "

# Verdicts ------------------------------------------------------------------------------
id() { "$RACERX" list --format jsonl --file "$1" | sed -n 's/.*"id":"\([0-9a-f]*\)".*/\1/p' | head -n 1; }
a=$(id net/a.c) b=$(id fs/b.c) c=$(id fs/c.c)
"$RACERX" mark --reviewer ann "$b" false 'never "both"' >/dev/null
"$RACERX" mark --reviewer ann "$a" confirmed >/dev/null
run verdicts export team.txt
expect export 0
same sorted "$(sed 's/.*"file":"\([^"]*\)".*"verdict":"\([^"]*\)".*/\1 \2/' team.txt)" 'fs/b.c false
net/a.c confirmed'
run run -q --db bob.db tree
run verdicts import --db bob.db team.txt
same imported "$out" '2 verdicts taken over, 0 older or known already'
run verdicts import --db bob.db team.txt
same imported-twice "$out" '0 verdicts taken over, 2 older or known already'
"$RACERX" verdicts export --db bob.db >bob.txt
same round "$(cmp team.txt bob.txt && echo same)" same
"$RACERX" mark --db bob.db --reviewer bob "$c" minor >/dev/null
sleep 1.1
"$RACERX" mark --db bob.db --reviewer bob "$b" unconfirmed >/dev/null
"$RACERX" verdicts export --db bob.db >bob.txt
run verdicts import bob.txt
same newer-wins "$out" '2 verdicts taken over, 1 older or known already'
same now "$("$RACERX" list --format jsonl --verdict unconfirmed | grep -c "$b")" 1
run verdicts import team.txt # what was said before
same older-loses "$("$RACERX" list --format jsonl --verdict unconfirmed | grep -c "$b")" 1
sleep 1.1
"$RACERX" mark "$b" none >/dev/null
"$RACERX" verdicts export -o team.txt
run verdicts import --db bob.db team.txt
same taken-back "$("$RACERX" list --db bob.db --format jsonl --verdict unconfirmed | grep -c "$b")" 0
# Two people's lines merge: both are kept, and the later of them counts.
echo 'team.txt merge=union' >tree/.gitattributes
cp team.txt tree/team.txt && git_ add -A && git_ commit -qm base && git_ branch other
"$RACERX" mark "$c" false >/dev/null && "$RACERX" verdicts export tree/team.txt && git_ commit -qam 'this one' && git_ checkout -q other
sleep 1.1
"$RACERX" mark --db bob.db "$a" minor >/dev/null && "$RACERX" mark --db bob.db "$c" confirmed >/dev/null
"$RACERX" verdicts export --db bob.db tree/team.txt && git_ commit -qam 'another' && git_ merge -q '@{-1}'
same merged "$(grep -c '<<<<' tree/team.txt)$(grep -c "$c" tree/team.txt)" 02
run verdicts import tree/team.txt
same merged-later "$("$RACERX" list --format jsonl --verdict confirmed | grep -c "$c")$("$RACERX" list --format jsonl --verdict minor | grep -c "$a")" 11
run verdicts
expect needs-a-word 2 'verdicts export'
run verdicts exprot
expect misspelt 2 "did you mean 'export'"
run verdicts import nowhere.txt
expect no-file 2 'cannot read'
finish
