# heddle's build. `make` builds build/heddle; `make MODE=debug|sanitize|torture|clang` builds into
# build/MODE/. All sources are found by themselves: src/ is the library, src/cli/main.c the tool,
# src/mpi/ the tool for clusters, oracle/ the differential tester, and every *_test.c a test program of its own.
#
#   make                    build/heddle, build/libheddle-actor.a, build/libheddle-check.a
#   make fuzz               build/heddle-fuzz, the differential tester
#   make tests              all unit tests, built but not run; make unit-tests also runs them
#   make bench              the papers' programs, measured (BENCH=… are arguments of bench/run)
#   make manual             writes the option sections of docs/heddle.1, and docs/FUNCTIONS.md, anew
#   make format             clang-format over everything
#   make mpi                build/heddle-mpi, which make builds as well if there is an mpicc
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
# Aligned functions: the speed of a loop does not depend on what the linker puts before it.
FLAGS_release  = -O3 -g -falign-functions=64
FLAGS_clang    = -O0
FLAGS_debug    = -O1 -g -DHEDDLE_DEBUG
# What only tests use has line numbers, without the rest of the debug information.
FLAGS_torture  = -O1 -g1 -DHEDDLE_DEBUG -DHEDDLE_TORTURE
FLAGS_sanitize = -O1 -g1 -DHEDDLE_DEBUG
SANITIZERS = $(if $(filter sanitize,$(MODE)),-fsanitize=address$(comma)undefined \
                                             -fno-sanitize-recover=all)
CFLAGS = -std=gnu11 $(WARNINGS) $(FLAGS_$(MODE)) $(SANITIZERS) -Isrc -Iinclude -I. $(EXTRA_CFLAGS)
# C programs are loaded into the process and call the runtime back, which must be exported.
EXPORTS = src/targets/runtime/kernel/exports.list
LDFLAGS = $(SANITIZERS) -Wl,--dynamic-list=$(EXPORTS)
LDLIBS = -lm -ldw -lelf -ldl

ALL_C   := $(sort $(shell find src oracle -name '*.c'))
# Broken strategies are broken in every build: release builds alone have them.
ifneq ($(MODE),release)
ALL_C   := $(filter-out oracle/mutant.c oracle/mutant_test.c oracle/mutants/%,$(ALL_C))
$(BUILD)/obj/oracle/main.o: EXTRA_CFLAGS += -DHEDDLE_NO_MUTANTS
endif
TEST_C  := $(filter %_test.c,$(ALL_C))
LINKED_C := $(filter src/targets/native/linked/%,$(ALL_C))
LIB_C   := $(filter-out %_test.c src/cli/main.c src/mpi/% oracle/% $(LINKED_C),$(ALL_C))
MPI_C   := $(filter src/mpi/%,$(ALL_C))
ORACLE_C := $(filter-out %_test.c oracle/main.c,$(filter oracle/%,$(ALL_C)))
BENCH_C := $(wildcard bench/*.c)
FORMATTED = $(shell find src oracle lib bench examples include -name '*.[ch]' 2>/dev/null)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(TEST_C))

LIBRARIES = $(BUILD)/libheddle-actor.a $(BUILD)/libheddle-check.a $(BUILD)/libheddle-alone.a \
            $(BUILD)/heddle-openmp.o

# heddle-mpi is built where MPI is (Debian: libopenmpi-dev).
MPICC ?= mpicc
HAS_MPI := $(shell command -v $(MPICC) 2> /dev/null)
TOOLS = $(BUILD)/heddle $(if $(HAS_MPI),$(BUILD)/heddle-mpi)

all: $(TOOLS) $(LIBRARIES)

$(BUILD)/libheddle.a: $(call objects,$(LIB_C))
	@rm -f $@
	ar rcs $@ $^

# For programs that use OpenMP: instrumented like they are.
OPENMP = $(addprefix src/targets/native/openmp/,openmp.inc tasks.inc taskloops.inc teams.inc loops.inc functions.inc)
OPENMP_CC = $(if $(shell command -v gcc),gcc,$(CC))
$(BUILD)/heddle-openmp.o: $(OPENMP) $(BUILD)/heddle
	cat $(OPENMP) > $(BUILD)/openmp.c
	$(BUILD)/heddle cc --cc=$(OPENMP_CC) '-fdebug-prefix-map=$(CURDIR)=heddle' -c -o $@ $(BUILD)/openmp.c

# For programs that run outside heddle: <heddle/actor.h> on real threads, <heddle/check.h>, and all
# that a program needs which heddle cc linked.
$(BUILD)/obj/lib/%.o: CFLAGS += -fPIC
$(BUILD)/obj/lib/alone.o: SANITIZERS =
$(BUILD)/libheddle-alone.a: $(call objects,$(wildcard lib/*.c))
$(BUILD)/libheddle-%.a: $(BUILD)/obj/lib/%.o
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/heddle: $(call objects,src/cli/main.c) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Only the part that talks to MPI is linked with it.
ifeq ($(HAS_MPI),)
mpi:
	@echo "heddle-mpi needs $(MPICC): install libopenmpi-dev and openmpi-bin, or set MPICC" >&2
	@exit 2
else
mpi: $(BUILD)/heddle $(BUILD)/heddle-mpi
$(BUILD)/obj/src/mpi/%.o: src/mpi/%.c
	@mkdir -p $(@D)
	OMPI_CC="$(CC)" MPICH_CC="$(CC)" $(MPICC) $(CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/heddle-mpi: $(call objects,$(MPI_C))
	$(MPICC) $(SANITIZERS) -o $@ $^
endif

$(BUILD)/heddle-bench: $(call objects,$(BENCH_C)) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# How far explorations scale, by simulation (bench/scaling/plot).
SCALING_C := $(wildcard bench/scaling/*.c)
$(BUILD)/heddle-scaling: $(call objects,$(SCALING_C)) $(BUILD)/libheddle.a
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

# The page and the commands for gdb are parts of the executable (base/embedded.h).
$(BUILD)/obj/src/report/writers/html.o: $(wildcard src/report/writers/page/*)
$(BUILD)/obj/src/cli/gdb.o: $(wildcard src/cli/gdb/*.py)

# So are objects that are linked to programs. No loader prepares what they need.
$(BUILD)/obj/src/targets/native/linked.o: $(call objects,$(LINKED_C))
$(BUILD)/obj/src/targets/native/linked.o: EXTRA_CFLAGS += \
    -DHEDDLE_LINKED='"$(BUILD)/obj/src/targets/native/linked/"'
$(call objects,$(LINKED_C)): CFLAGS = -std=gnu11 $(WARNINGS) -O1 -fPIC -fno-builtin \
    -fno-stack-protector -Isrc

# What runs on the stacks of fibers, in memory of its own making, means nothing to the sanitizers.
$(BUILD)/obj/src/targets/runtime/%.o: SANITIZERS =

# Broken strategies run a few programs each, and unit tests a few steps: compiling them must not take
# longer than that.
$(BUILD)/obj/oracle/mutants/%.o: EXTRA_CFLAGS += -O0 -g1
$(BUILD)/obj/%_test.o: EXTRA_CFLAGS += -O0 -g1
# Nor must what takes no part in an exploration, where only tests run it.
ifneq ($(filter torture sanitize,$(MODE)),)
$(foreach part,cli report supervise targets/native,$(BUILD)/obj/src/$(part)/%.o): EXTRA_CFLAGS += -O0
endif

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
	scripts/functions.sh > docs/FUNCTIONS.md.new
	mv docs/FUNCTIONS.md.new docs/FUNCTIONS.md

# Installed as they are: file, and where to.
AS_IS = include/heddle.h:include/heddle.h include/heddle/actor.h:include/heddle/actor.h \
        include/heddle/check.h:include/heddle/check.h \
        $(BUILD)/libheddle-actor.a:lib/libheddle-actor.a \
        $(BUILD)/libheddle-check.a:lib/libheddle-check.a \
        $(BUILD)/libheddle-alone.a:lib/libheddle-alone.a \
        $(BUILD)/heddle-openmp.o:lib/heddle-openmp.o \
        docs/heddle.1:share/man/man1/heddle.1 \
        share/bash-completion/heddle:share/bash-completion/completions/heddle
# Those in which places and version are put.
FILLED_IN = heddle.pc:lib/pkgconfig/heddle.pc heddle-check.pc:lib/pkgconfig/heddle-check.pc \
            heddleConfig.cmake:lib/cmake/heddle/heddleConfig.cmake \
            heddleConfigVersion.cmake:lib/cmake/heddle/heddleConfigVersion.cmake

# CMake looks for them, by these names, where link-time optimisation is on.
BESIDE_COMPILER = ar ranlib

# Not every shell expands the ~ of PREFIX=~/.local.
PLACE_PREFIX = $(patsubst ~/%,$(HOME)/%,$(PREFIX))
PLACE = $(DESTDIR)$(PLACE_PREFIX)
install: $(TOOLS) $(LIBRARIES)
	for tool in $(TOOLS); do \
	    install -D -m 755 $$tool "$(PLACE)/bin/$${tool##*/}" || exit 1; done
	ln -sf heddle "$(PLACE)/bin/heddle-cc"
	for tool in $(BESIDE_COMPILER); do \
	    printf '#!/bin/sh\nexec gcc-%s "$$@"\n' $$tool > "$(PLACE)/bin/heddle-gcc-$$tool" && \
	    chmod 755 "$(PLACE)/bin/heddle-gcc-$$tool" || exit 1; done
	for pair in $(AS_IS); do \
	    install -D -m 644 $${pair%%:*} "$(PLACE)/$${pair#*:}" || exit 1; done
	for pair in $(FILLED_IN); do \
	    file="$(PLACE)/$${pair#*:}"; mkdir -p "$${file%/*}" && \
	    sed 's|@PREFIX@|$(PLACE_PREFIX)|; s|@VERSION@|$(VERSION)|' share/$${pair%%:*}.in > "$$file" || \
	    exit 1; done

VERSION = $(shell sed -n 's/^.define HEDDLE_VERSION "\(.*\)"/\1/p' src/base/version.h)
uninstall:
	for tool in heddle heddle-cc heddle-mpi $(BESIDE_COMPILER:%=heddle-gcc-%); do rm -f "$(PLACE)/bin/$$tool"; done
	for pair in $(AS_IS) $(FILLED_IN); do rm -f "$(PLACE)/$${pair#*:}"; done
	-rmdir "$(PLACE)/include/heddle" "$(PLACE)/lib/cmake/heddle" 2> /dev/null

# The Debian packages, in build/: heddle, and heddle-mpi if there is an mpicc.
deb: $(TOOLS) $(LIBRARIES)
	scripts/deb.sh $(BUILD)

clean:
	rm -rf build

-include $(patsubst %.c,$(BUILD)/obj/%.d,$(ALL_C) $(BENCH_C) $(SCALING_C) $(wildcard lib/*.c))

.PHONY: all fuzz mpi measure bench tests unit-tests list-tests format check-format manual install uninstall deb clean
.SECONDARY:
