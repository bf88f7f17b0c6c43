# heddle's build. `make` builds build/heddle; `make MODE=debug|sanitize|torture|clang` builds into
# build/MODE/. All sources are found by themselves: src/ is the library, src/cli/main.c the tool,
# oracle/ the differential tester, and every *_test.c a test program of its own.
#
#   make                    build/heddle, build/libheddle-actor.a
#   make fuzz               build/heddle-fuzz, the differential tester
#   make tests              all unit tests, built but not run; make unit-tests also runs them
#   make bench              the papers' programs, measured (BENCH=… are arguments of bench/run)
#   make manual             writes the option sections of docs/heddle.1 anew
#   make format             clang-format over everything
#   make install PREFIX=…   the tool, its header and its manual page (DESTDIR is honoured)

MODE ?= release
CC = $(if $(filter clang,$(MODE)),clang,gcc)
BUILD := $(if $(filter release,$(MODE)),build,build/$(MODE))
PREFIX ?= /usr/local
comma := ,

# A parameter may be named like its type (target *target), which gcc's plain -Wshadow would not have;
# and snprintf is used because it truncates.
WARN_COMPILER = $(if $(findstring clang,$(CC)),-Wshadow,-Wshadow=local -Wno-format-truncation)
WARNINGS = -Wall -Wextra -Werror $(WARN_COMPILER) -Wstrict-prototypes -Wmissing-prototypes \
           -Wpointer-arith -Wundef -Wvla
FLAGS_release  = -O3 -g
FLAGS_clang    = -O1 -g
FLAGS_debug    = -O1 -g -DHEDDLE_DEBUG
FLAGS_torture  = -O1 -g -DHEDDLE_DEBUG -DHEDDLE_TORTURE
FLAGS_sanitize = -O1 -g -DHEDDLE_DEBUG
SANITIZERS = $(if $(filter sanitize,$(MODE)),-fsanitize=address$(comma)undefined \
                                             -fno-sanitize-recover=all)
CFLAGS = -std=gnu11 $(WARNINGS) $(FLAGS_$(MODE)) $(SANITIZERS) -Isrc -Iinclude -I. $(EXTRA_CFLAGS)
# C programs are loaded into the process and call the runtime back, which must be exported.
EXPORTS = src/targets/runtime/kernel/exports.list
LDFLAGS = $(SANITIZERS) -Wl,--dynamic-list=$(EXPORTS)
LDLIBS = -lm -ldw -lelf -ldl

ALL_C   := $(sort $(shell find src oracle -name '*.c'))
TEST_C  := $(filter %_test.c,$(ALL_C))
LIB_C   := $(filter-out %_test.c src/cli/main.c oracle/%,$(ALL_C))
ORACLE_C := $(filter-out %_test.c oracle/main.c,$(filter oracle/%,$(ALL_C)))
BENCH_C := $(wildcard bench/*.c)
FORMATTED = $(shell find src oracle lib bench examples include -name '*.[ch]' 2>/dev/null)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(TEST_C))

all: $(BUILD)/heddle $(BUILD)/libheddle-actor.a

$(BUILD)/libheddle.a: $(call objects,$(LIB_C))
	@rm -f $@
	ar rcs $@ $^

# <heddle/actor.h> on real threads, for programs that run outside heddle.
$(BUILD)/obj/lib/%.o: CFLAGS += -fPIC
$(BUILD)/libheddle-actor.a: $(call objects,lib/actor.c)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/heddle: $(call objects,src/cli/main.c) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/heddle-bench: $(call objects,$(BENCH_C)) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# An archive, so that a test takes from the oracle only what it names.
$(BUILD)/liboracle.a: $(call objects,$(ORACLE_C))
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/heddle-fuzz: $(call objects,oracle/main.c) $(BUILD)/liboracle.a $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/%: $(BUILD)/obj/%.o $(BUILD)/liboracle.a $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

# The page is part of the executable (.incbin).
$(BUILD)/obj/src/report/writers/html.o: $(wildcard src/report/writers/page/*)

# What runs on the stacks of fibers, in memory of its own making, means nothing to the sanitizers.
$(BUILD)/obj/src/targets/runtime/%.o: SANITIZERS =

# Broken strategies are hunted in the release build; elsewhere they need only compile.
$(BUILD)/obj/oracle/mutants/%.o: EXTRA_CFLAGS += $(if $(filter release,$(MODE)),-O1,-O0)
$(BUILD)/obj/oracle/mutants/%.o: SANITIZERS =

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

# The tester is built only where its main file is there.
fuzz: $(if $(wildcard oracle/main.c),$(BUILD)/heddle-fuzz)

measure: $(BUILD)/heddle-bench

bench: measure
	bench/run $(BENCH)

tests: $(TESTS)

unit-tests: $(TESTS)
	@for t in $(TESTS); do $$t || exit 1; done

# One name a line, for scripts.
list-tests:
	@for t in $(TESTS); do echo $$t; done

format:
	clang-format -i $(FORMATTED)

check-format:
	clang-format --dry-run -Werror $(FORMATTED)

manual: $(BUILD)/heddle
	scripts/manual.sh $(BUILD)/heddle docs/heddle.1 > docs/heddle.1.new
	mv docs/heddle.1.new docs/heddle.1

install: $(BUILD)/heddle $(BUILD)/libheddle-actor.a
	install -D -m 755 $(BUILD)/heddle $(DESTDIR)$(PREFIX)/bin/heddle
	install -D -m 644 include/heddle.h $(DESTDIR)$(PREFIX)/include/heddle.h
	install -D -m 644 include/heddle/actor.h $(DESTDIR)$(PREFIX)/include/heddle/actor.h
	install -D -m 644 $(BUILD)/libheddle-actor.a $(DESTDIR)$(PREFIX)/lib/libheddle-actor.a
	install -D -m 644 docs/heddle.1 $(DESTDIR)$(PREFIX)/share/man/man1/heddle.1
	install -D -m 644 share/bash-completion/heddle \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/heddle
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' share/heddle.pc.in \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/heddle.pc

VERSION = $(shell sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
INSTALLED = bin/heddle include/heddle.h include/heddle/actor.h lib/libheddle-actor.a \
            share/man/man1/heddle.1 share/bash-completion/completions/heddle lib/pkgconfig/heddle.pc
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED))
	-rmdir $(DESTDIR)$(PREFIX)/include/heddle 2> /dev/null

clean:
	rm -rf build

-include $(patsubst %.c,$(BUILD)/obj/%.d,$(ALL_C) $(BENCH_C) lib/actor.c)

.PHONY: all fuzz measure bench tests unit-tests list-tests format check-format manual install uninstall clean
.SECONDARY:
