# racerx: one Makefile, no recursion. `make help` says what there is.
#
# VERBOSE=1 shows the commands. WERROR=1 (or CI=true) makes warnings errors.
# SAN=address|undefined|both|thread builds, and tests, in build-$(SAN)/ with that sanitizer.

VERSION := 0.2.0
MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.PHONY: FORCE all run test test-tools browser-if-installed test-browser bench-html test-unit test-script test-golden test-hostile test-faults test-analysis coverage self bench bench-init bench-setup bench-slope bench-lookups bench-confirm bench-predict evaluation metamorphic promote layers fuzz $(addprefix fuzz-,extract script commands suppress verdicts tree run database http) format format-check clean install uninstall deb install-deps help
all:

# What is built, and where --------------------------------------------------------

# The fuzzer's objects are a build of their own, like a sanitizer's.
ifneq ($(filter fuzz,$(MAKECMDGOALS)),)
SAN := fuzz
endif
ifneq ($(filter coverage,$(MAKECMDGOALS)),)
# Also for tests that build something.
export SAN := coverage
endif
ifneq ($(filter test-hostile,$(MAKECMDGOALS)),)
HOSTILE := 1
endif
BUILD := build$(if $(SAN),-$(SAN))$(if $(HOSTILE),-hostile)
O := $(BUILD)/objects
Q := $(if $(VERBOSE),,@)

SOURCES := $(sort $(wildcard base/*.c annotators/*.c extract/*.c racerx/*.c racerx/*/*.c rank/*.c reports/*.c))
GENERATED := $(BUILD)/generated/presets.c $(BUILD)/generated/schema.c $(BUILD)/generated/findings_schema.c \
  $(BUILD)/generated/verdicts_schema.c $(BUILD)/generated/atlas_schema.c \
  $(BUILD)/generated/rank_default.c $(BUILD)/generated/finding_pages.c $(BUILD)/generated/page_css.c $(BUILD)/generated/page_js.c \
  $(BUILD)/generated/init_lua.c $(BUILD)/generated/runtime.c
OBJECTS := $(patsubst %.c,$(O)/%.o,$(filter-out racerx/cli/main.c,$(SOURCES))) $(GENERATED:.c=.o)
LIBRARY := $(BUILD)/libracerx.a
# tree-sitter: its C grammar and its runtime. The fuzzer watches the runtime as well.
GRAMMAR := build/grammar/parser.o $(if $(filter fuzz,$(SAN)),$(BUILD)/runtime.o,build/grammar/runtime.o)
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/*/*_test.c)))
BENCH := $(BUILD)/bench/bare_parse $(BUILD)/bench/measure $(BUILD)/bench/html_list $(BUILD)/bench/fit
WRAPPED := README.md CHANGELOG.md $(wildcard docs/*.md docs/findings/*.md */README.md)
# Every folder that has sources, so that a new room is laid out as the others are.
FORMATTED := $(wildcard $(addsuffix *.[ch],$(sort $(dir $(SOURCES))) racerx/confirm/runtime/ bench/) tests/*/*_test.c tests/fuzz/*.[ch] tests/faults/*.c)

comma := ,
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(SAN),fuzz)
CC := clang
# The start of an empty array plus nothing is no mistake here, though clang counts it as one.
SANITIZE := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all \
  -fno-omit-frame-pointer
else ifneq ($(filter address undefined thread both,$(SAN)),)
SANITIZE := -fsanitize=$(if $(filter both,$(SAN)),address$(comma)undefined,$(SAN)) -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(SAN),coverage)
CFLAGS := -O0 -g
SANITIZE := --coverage
else ifneq ($(SAN),)
$(error SAN=$(SAN): it is address, undefined, both (of these) or thread)
endif

CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ifneq ($(filter true 1,$(CI) $(WERROR)),)
WARNINGS += -Werror
endif
# A product is a part of the Analysis and its fields are at hand there (PRODUCT in racerx/facts/analysis.h).
ALL_CFLAGS = -std=c11 -fms-extensions -Wno-microsoft-anon-tag -D_GNU_SOURCE$(if $(HOSTILE), -DRACERX_HOSTILE)$(if $(HOSTILE)$(SAN), -DRACERX_CHECKS) -DRACERX_VERSION='"$(VERSION)"' $(CFLAGS) $(WARNINGS) $(SANITIZE) -I. -isystem build/grammar $(PACKAGE_CFLAGS)
ALL_LIBS = $(LDFLAGS) $(SANITIZE) $(PACKAGE_LIBS) -lpthread -lm -ldl

# Set-up --------------------------------------------------------------------------

# Looks each time, which takes a moment. Building alone never installs: it says what is missing. Running, testing and
# measuring install it. Make reads the file that this writes (the libraries' flags) and starts over when it changed.
SETUP_GROUPS := build $(filter bench fuzz,$(MAKECMDGOALS)) \
  $(if $(filter test-browser bench-html,$(MAKECMDGOALS))$(if $(filter true,$(CI)),$(filter test,$(MAKECMDGOALS))),browser)
INSTALLING := $(filter run test test-% coverage bench bench-% fuzz promote install-deps self,$(MAKECMDGOALS))
build/setup.mk: FORCE
	@sh base/setup.sh $(if $(INSTALLING),,--look) --flags $@ $(SETUP_GROUPS)

ifneq ($(filter-out clean help layers format format-check evaluation,$(or $(MAKECMDGOALS),all)),)
include build/setup.mk
endif

install-deps: $(BUILD)/flags $(GRAMMAR)
	@echo "set-up is complete"

build/grammar/parser.c: extract/grammar.sh
	@sh extract/grammar.sh build/grammar

# Not ours to warn about, and not to sanitize: tables and one big switch.
build/grammar/parser.o: build/grammar/parser.c
	@echo "  CC $(@:build/%=%)"
	$(Q)$(CC) -std=c11 -O2 -w -Ibuild/grammar -c -o $@ $<
# One file includes all of it.
build/grammar/runtime.o $(BUILD)/runtime.o: build/grammar/parser.c
	@mkdir -p $(@D)
	@echo "  CC $(@:build/%=%)"
	$(Q)$(CC) -std=c11 -O2 -g -w -D_DEFAULT_SOURCE $(if $(filter fuzz,$(SAN)),-fsanitize=fuzzer-no-link$(comma)address) -Ibuild/grammar/runtime/src \
	  -Ibuild/grammar/runtime/include -c -o $@ build/grammar/runtime/src/lib.c

# Building ------------------------------------------------------------------------

all: $(BUILD)/racerx

# Changed flags, and sources that came or went, make things anew.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$(CC) $(subst ",\",$(ALL_CFLAGS) $(ALL_LIBS))" | cmp -s - $@ || \
	 printf '%s\n' "$(CC) $(subst ",\",$(ALL_CFLAGS) $(ALL_LIBS))" > $@
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$(SOURCES)" | cmp -s - $@ || printf '%s\n' "$(SOURCES)" > $@

# A room of racerx/ only reads what was made before it (racerx/facts/analysis.h, "products"): that is const there.
MADE_BEFORE :=
$(O)/racerx/walk/%.o: MADE_BEFORE := -DOF_FACTS=const
$(O)/racerx/summary/%.o: MADE_BEFORE := -DOF_FACTS=const -DOF_EVENTS=const -DOF_NODES=const -DOF_CHECK=const
$(O)/racerx/check/%.o: MADE_BEFORE := -DOF_FACTS=const -DOF_EVENTS=const
$(O)/racerx/stale/%.o: MADE_BEFORE := -DOF_FACTS=const -DOF_EVENTS=const -DOF_NODES=const -DOF_CHECK=const

$(O)/%.o: %.c $(BUILD)/flags | build/grammar/parser.c
	@mkdir -p $(@D)
	@echo "  CC $*.o"
	$(Q)$(CC) $(ALL_CFLAGS) $(MADE_BEFORE) -MMD -MP -c -o $@ $<

$(GENERATED:.c=.o): %.o: %.c $(BUILD)/flags
	@echo "  CC $(@:$(BUILD)/%=%)"
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/generated/presets.c: annotators/embed.sh $(wildcard annotators/*.lua) $(BUILD)/presets
	@mkdir -p $(@D)
	@echo "  EMBED annotators/*.lua"
	$(Q)sh annotators/embed.sh $(sort $(wildcard annotators/*.lua)) > $@

# A preset that came or went.
$(BUILD)/presets: FORCE
	@mkdir -p $(@D)
	@echo $(sort $(wildcard annotators/*.lua)) | cmp -s - $@ || echo $(sort $(wildcard annotators/*.lua)) > $@

$(BUILD)/generated/schema.c: base/embed.sh extract/schema.sql
	@mkdir -p $(@D)
	@echo "  EMBED extract/schema.sql"
	$(Q)sh base/embed.sh schema_sql extract/schema.sql > $@

$(BUILD)/generated/findings_schema.c: base/embed.sh racerx/findings/findings.sql
	@mkdir -p $(@D)
	@echo "  EMBED racerx/findings/findings.sql"
	$(Q)sh base/embed.sh findings_sql racerx/findings/findings.sql > $@

$(BUILD)/generated/verdicts_schema.c: base/embed.sh racerx/findings/verdicts.sql
	@mkdir -p $(@D)
	@echo "  EMBED racerx/findings/verdicts.sql"
	$(Q)sh base/embed.sh verdicts_sql racerx/findings/verdicts.sql > $@

$(BUILD)/generated/atlas_schema.c: base/embed.sh racerx/link/atlas.sql
	@mkdir -p $(@D)
	@echo "  EMBED racerx/link/atlas.sql"
	$(Q)sh base/embed.sh atlas_sql racerx/link/atlas.sql > $@

$(BUILD)/generated/rank_default.c: base/embed.sh rank/default.lua
	@mkdir -p $(@D)
	@echo "  EMBED rank/default.lua"
	$(Q)sh base/embed.sh rank_default_lua rank/default.lua > $@

# One script, in parts.
$(BUILD)/generated/init_lua.c: base/embed.sh $(sort $(wildcard racerx/init/*.lua))
	@mkdir -p $(@D)
	@echo "  EMBED racerx/init/*.lua"
	$(Q)cat $(sort $(wildcard racerx/init/*.lua)) > $(@:.c=.lua)
	$(Q)sh base/embed.sh init_lua $(@:.c=.lua) > $@

# No source of ours: one text, in parts, that `racerx cc` compiles.
$(BUILD)/generated/runtime.c: base/embed.sh $(sort $(wildcard racerx/confirm/runtime/*.c))
	@mkdir -p $(@D)
	@echo "  EMBED racerx/confirm/runtime/*.c"
	$(Q)cat $(sort $(wildcard racerx/confirm/runtime/*.c)) > $(@:.c=.txt)
	$(Q)sh base/embed.sh runtime_c $(@:.c=.txt) > $@

$(BUILD)/generated/finding_pages.c: reports/pages.sh racerx/findings/kinds.def $(wildcard docs/findings/*.md)
	@mkdir -p $(@D)
	@echo "  EMBED docs/findings/*.md"
	$(Q)sh reports/pages.sh > $@

$(BUILD)/generated/page_%.c: reports/page/page.% base/embed.sh
	@mkdir -p $(@D)
	@echo "  EMBED $<"
	$(Q)sh base/embed.sh page_$* $< > $@

$(LIBRARY): $(OBJECTS) $(BUILD)/sources
	@echo "  AR $(@F)"
	$(Q)rm -f $@ && ar rcs $@ $(OBJECTS)

$(BUILD)/racerx: $(O)/racerx/cli/main.o $(LIBRARY) $(GRAMMAR)
	@echo "  LD racerx"
	$(Q)$(CC) $(SANITIZE) $(if $(filter coverage,$(SAN)),-Wl$(comma)-u$(comma)__gcov_dump) -o $@ $(O)/racerx/cli/main.o $(LIBRARY) $(GRAMMAR) $(ALL_LIBS)

PREFIX ?= /usr/local
SHARE = $(DESTDIR)$(PREFIX)/share
DOC = $(SHARE)/doc/racerx
# Manuals keep the names that help and messages call them by.
MANUALS := README.md CHANGELOG.md LICENSE $(wildcard docs/*.md docs/findings/*.md) annotators/README.md rank/README.md \
  $(wildcard annotators/*.lua) rank/default.lua
install: all
	$(Q)install -D $(BUILD)/racerx $(DESTDIR)$(PREFIX)/bin/racerx
	$(Q)install -D -m 644 docs/racerx.1 $(SHARE)/man/man1/racerx.1
	$(Q)for file in $(MANUALS); do install -D -m 644 $$file $(DOC)/$$file || exit 1; done
	$(Q)install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/vendor-completions $(SHARE)/fish/vendor_completions.d
	$(Q)$(BUILD)/racerx completion bash > $(SHARE)/bash-completion/completions/racerx
	$(Q)$(BUILD)/racerx completion zsh > $(SHARE)/zsh/vendor-completions/_racerx
	$(Q)$(BUILD)/racerx completion fish > $(SHARE)/fish/vendor_completions.d/racerx.fish
uninstall:
	$(Q)rm -f $(DESTDIR)$(PREFIX)/bin/racerx $(SHARE)/man/man1/racerx.1 $(SHARE)/bash-completion/completions/racerx \
	  $(SHARE)/zsh/vendor-completions/_racerx $(SHARE)/fish/vendor_completions.d/racerx.fish
	$(Q)rm -rf $(DOC)
# A Debian package of it: $(BUILD)/racerx_VERSION_ARCH.deb.
deb: all
	$(Q)rm -rf $(BUILD)/deb
	$(Q)$(MAKE) --no-print-directory install DESTDIR=$(BUILD)/deb PREFIX=/usr
	$(Q)sh base/deb.sh $(BUILD) $(VERSION)

run: all
	$(Q)$(BUILD)/racerx run examples/

# Testing -------------------------------------------------------------------------

$(BUILD)/tests/%: $(O)/tests/%.o $(LIBRARY) $(GRAMMAR)
	@mkdir -p $(@D)
	@echo "  LD tests/$*"
	$(Q)$(CC) $(SANITIZE) -o $@ $< $(LIBRARY) $(GRAMMAR) $(ALL_LIBS)

# What drives the browser. Where neither can be installed these tests are skipped (in CI they fail).
PLAYWRIGHT := build/browser/playwright-core/index.mjs
$(PLAYWRIGHT): base/playwright.sh
	@sh base/playwright.sh build/browser
browser-if-installed:
	@! { command -v chromium && command -v node; } >/dev/null || [ $(PLAYWRIGHT) -nt base/playwright.sh ] || sh base/playwright.sh build/browser || [ "$(CI)" != true ]

# T="NAME ..." runs the tests whose path has one of the words in it.
RUN_TESTS = tests/run --build $(BUILD)
# What only tests need, a browser for the page as well; where it cannot be installed, the tests that want it are skipped.
TEST_GROUPS := test $(if $(filter test,$(MAKECMDGOALS)),$(if $(T),$(findstring browser,$(T)),browser))
test-tools:
	-@sh base/setup.sh $(TEST_GROUPS)
browser-if-installed: test-tools
test: layers all $(UNIT_TESTS) $(BENCH) test-tools browser-if-installed
	@$(RUN_TESTS) unit script golden $(addprefix --match ,$(T))
test-unit: $(UNIT_TESTS)
	@$(RUN_TESTS) unit $(addprefix --match ,$(T))
test-script: all $(BENCH) test-tools
	@$(RUN_TESTS) script $(addprefix --match ,$(T))
test-golden: all
	@$(RUN_TESTS) golden $(addprefix --match ,$(T))
test-browser: all $(BENCH) $(PLAYWRIGHT)
	@$(RUN_TESTS) script --match tests/browser/
# With every limit at 2 or 3: findings may be lost, none may appear.
test-hostile: all
	@tests/hostile $(BUILD)
# Every call of the system, of the allocator and of SQLite fails once (tests/faults/faults); FAULTS="--most 10" is a sample.
$(BUILD)/faults/shim.so: tests/faults/shim.c $(BUILD)/flags
	@mkdir -p $(@D)
	@echo "  LD faults/shim.so"
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O1 -g $(WARNINGS) -Wno-missing-prototypes -fPIC -fno-builtin -shared $(PACKAGE_CFLAGS) -o $@ $< -ldl -lpthread
test-faults: all $(BUILD)/faults/shim.so
	@tests/faults/faults --build $(BUILD) $(FAULTS)
# The tests of the analysis and of reading, with a sanitizer: SAN=both for both in one build.
ANALYSIS_TESTS := /deadlocks/ /races/ /stale/ /annotators/ /link/ /golden/ extract/bad_input extract/deep extract/lower extract/cursor extract/quick extract/same /rank/ /fuzz/ /init/ /check/ /walk/ /facts/ /summary/ /findings/ /mark/ /cases/
test-analysis: all $(UNIT_TESTS) test-tools
	@$(RUN_TESTS) unit script golden $(addprefix --match ,$(ANALYSIS_TESTS))
# Lines and branches that the tests go through, by room; T=WORD runs some of them. COVERED="unit golden" leaves sorts out.
COVERED ?= unit script golden
coverage: all $(UNIT_TESTS) $(BENCH) test-tools
	@find $(BUILD) -name '*.gcda' -delete
	-@$(RUN_TESTS) $(COVERED) $(addprefix --match ,$(T)) > $(BUILD)/coverage.log
	@tail -n 1 $(BUILD)/coverage.log
	@tests/coverage $(BUILD)
# racerx over its own sources: what is shown, for reading. tests/build/self.sh sees that it grows no longer.
OWN_SOURCES := base annotators extract racerx rank reports
self: all
	@$(BUILD)/racerx run --db $(BUILD)/self.db --exclude runtime $(OWN_SOURCES)
promote: all
	@$(RUN_TESTS) --promote golden $(addprefix --match ,$(T))

layers:
	@tests/layers

# FUZZ_TARGET: extract, script, commands, suppress, verdicts, tree (libFuzzer, with what is kept in tests/fuzz/seeds*/);
# run, database, http (tests/fuzz/mutate: the program itself); all: each for FUZZ_SECONDS.
# TIME=8h, 30m or 90s says the same in words.
FUZZ_SECONDS ?= $(if $(findstring command,$(origin TIME)),$(shell echo '$(TIME)' | awk '{ print $$0 * (/h$$/ ? 3600 : /m$$/ ? 60 : 1) }'),600)
FUZZ_TARGET ?= extract
FUZZ_INSIDE := extract script commands suppress verdicts tree
FUZZ_OUTSIDE := run database http
FUZZ_WANTED := $(if $(filter all,$(FUZZ_TARGET)),$(FUZZ_INSIDE) $(FUZZ_OUTSIDE),$(patsubst fuzz_%,%,$(FUZZ_TARGET)))
fuzz: $(addprefix fuzz-,$(FUZZ_WANTED))
$(addprefix fuzz-,$(FUZZ_INSIDE)): fuzz-%: $(BUILD)/fuzz_%
	@mkdir -p $(BUILD)/corpus/$* tests/fuzz/seeds/$*
	@echo "  FUZZ $*"
	$(Q)$< -max_total_time=$(FUZZ_SECONDS) -timeout=30 -rss_limit_mb=4096 -max_len=65536 -dict=tests/fuzz/$(if $(filter extract,$*),c,text).dict \
	  -print_final_stats=1 -verbosity=$(if $(VERBOSE),1,0) -artifact_prefix=$(BUILD)/$*- $(FUZZ_FLAGS) $(BUILD)/corpus/$* tests/fuzz/seeds/$*
$(addprefix fuzz-,$(FUZZ_OUTSIDE)): fuzz-%: $(BUILD)/racerx
	@echo "  FUZZ $*"
	@tests/fuzz/mutate --racerx $(BUILD)/racerx --work $(BUILD)/mutate --seconds $(FUZZ_SECONDS) $(FUZZ_FLAGS) $*
$(BUILD)/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(LIBRARY) $(GRAMMAR)
	@echo "  LD fuzz_$*"
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined -o $@ $< $(LIBRARY) $(GRAMMAR) $(ALL_LIBS)

# Measuring -----------------------------------------------------------------------

TREES ?= examples
$(BENCH): $(BUILD)/bench/%: $(O)/bench/%.o $(LIBRARY) $(GRAMMAR)
	@mkdir -p $(@D)
	@echo "  LD bench/$*"
	$(Q)$(CC) $(SANITIZE) -o $@ $< $(LIBRARY) $(GRAMMAR) $(ALL_LIBS)
bench: all $(BENCH)
	@bash bench/run.sh --build $(BUILD) $(TREES)
# TREES="DIR[:PRESET] ...": how much of a preset's lock table init finds by itself.
# Evaluation and weights of the ranking: bench/eval/README.md, bench/fit/README.md. CODE has trees, MIRROR git directories, WORK is written.
WORK ?= $(BUILD)/eval
FIT := bench/fit/priors.txt bench/fit/historic.jsonl bench/fit/planted.jsonl bench/fit/judged.jsonl
eval: all
	@python3 bench/eval/page.py $(BUILD)/racerx --code $(CODE) --mirror $(MIRROR) --work $(WORK) $(EVAL)
# Verdict programs rewritten so that they mean the same: which verdicts depend on how a program is written?
metamorphic: all
	@python3 bench/metamorphic.py $(BUILD)/racerx $(METAMORPHIC)
fit-data: all
	@python3 bench/fit/gather.py $(BUILD)/racerx --code $(CODE) --mirror $(MIRROR) --work $(WORK) --out bench/fit
fit: $(BUILD)/bench/fit
	@mkdir -p $(BUILD)/fit
	@$(BUILD)/bench/fit --out $(BUILD)/fit rank/default.lua $(FIT)

bench-setup: all
	@bash bench/setup.sh --build $(BUILD) $(TREES)
bench-init: all
	@bash bench/init.sh --build $(BUILD) $(TREES)
bench-html: all $(BENCH) $(PLAYWRIGHT)
	@bash bench/html.sh --build $(BUILD)
# Every program of the tests that can be run; some minutes, most of them waiting.
CONFIRMED := $(wildcard tests/races/posix/*.c tests/deadlocks/order/*.c tests/deadlocks/wait/*.c tests/deadlocks/double/*.c)
bench-confirm: all test-tools
	@bash bench/confirm.sh --build $(BUILD) $(PROGRAM_FLAGS) $(CONFIRMED)
# Likewise: what runs of them predict.
bench-predict: all test-tools
	@bash bench/predict.sh --build $(BUILD) $(PROGRAM_FLAGS) $(wildcard tests/races/posix/*.c)
# DB="FILE" FUNCTION=name OBJECT=pattern: what each look-up costs on a database.
bench-lookups: all
	@bash bench/lookups.sh --build $(BUILD) $(DB) $(FUNCTION) $(OBJECT)
bench-slope: all $(BENCH)
	@bash bench/slope.sh --build $(BUILD) $(TREES)

# One page from what was measured and judged.
evaluation:
	@bash bench/evaluation.sh > docs/evaluation.md.new
	@mv docs/evaluation.md.new docs/evaluation.md
	@docs/wrap docs/evaluation.md

# Housekeeping --------------------------------------------------------------------

format:
	@sh base/setup.sh format
	$(Q)clang-format -i $(FORMATTED)
	$(Q)docs/wrap $(WRAPPED)
format-check:
	@sh base/setup.sh format
	@clang-format --dry-run -Werror $(FORMATTED)
	@docs/wrap --check $(WRAPPED)

clean:
	$(Q)rm -rf build build-hostile build-address build-undefined build-both build-thread build-coverage build-fuzz

help:
	@echo "make                build build/racerx; says what to install, when something is missing"
	@echo "make run            install what is missing, build, and look for races and deadlocks in examples/"
	@echo "make test           install what is missing, check layers, run all tests; T=WORD runs those with WORD in their path"
	@echo "make test SAN=X     the same with a sanitizer: address, undefined, both (of these) or thread"
	@echo "make test-analysis  only the tests of reading and analysis, with SAN=both say"
	@echo "make self           racerx over its own sources"
	@echo "make test-unit test-script test-golden    one sort of test"
	@echo "make test-hostile                         every limit at 2 or 3: no finding may appear"
	@echo "make test-faults    every allocation, file operation and SQLite call fails once; FAULTS=\"--most 10\" is a sample"
	@echo "make coverage       lines and branches that the tests go through, by room"
	@echo "make test-browser   the tests in a browser (installs Chromium when it is missing)"
	@echo "make promote        take the golden tests' present output as the expected one"
	@echo "make bench          measure on TREES=\"DIR ...\" (default: examples); see bench/README.md"
	@echo "make bench-setup    from an unpacked tree to its first list: times, and what comes out"
	@echo "make bench-init     how much of a preset's table init finds in TREES=\"DIR[:PRESET] ...\""
	@echo "make bench-slope    how the cost of the analysis grows with the code of TREES"
	@echo "make bench-lookups  what each look-up costs on DB=FILE, with FUNCTION=name OBJECT=pattern"
	@echo "make bench-confirm  how many findings of the tests' programs are witnessed in runs"
	@echo "make bench-predict  what is predicted from runs of the tests' programs"
	@echo "make bench-html     how fast a page of ten thousand findings opens"
	@echo "make metamorphic    verdict programs rewritten: what depends on how they are written (METAMORPHIC=--show)"
	@echo "make evaluation     write docs/evaluation.md from bench/results and bench/verdicts"
	@echo "make fuzz           fuzz the extractor for FUZZ_SECONDS (600)"
	@echo "make layers         check that includes follow the order of the stages"
	@echo "make format         lay out the sources with clang-format"
	@echo "make format-check   fail where it would change something"
	@echo "make install        put racerx, its manuals and completions under PREFIX (/usr/local); make uninstall takes them away"
	@echo "make deb            a Debian package of them, in build/"
	@echo "make install-deps   only install and fetch what building needs"
	@echo "make clean          remove what was built"
	@echo "VERBOSE=1 shows the commands; WERROR=1 makes warnings errors."

-include $(wildcard $(O)/*/*.d $(O)/*/*/*.d)
