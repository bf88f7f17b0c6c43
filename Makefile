# heddle's build. `make` builds build/heddle; `make MODE=debug|sanitize|torture` builds into
# build/MODE/. All sources are found by themselves: src/ is the library, src/cli/main.c the tool,
# oracle/ the differential tester, and every *_test.c a test program of its own.

MODE ?= release
CC = gcc
BUILD := $(if $(filter release,$(MODE)),build,build/$(MODE))

# A parameter may be named like its type (target *target); gcc's plain -Wshadow would not have it.
WARN_SHADOW = $(if $(findstring clang,$(CC)),-Wshadow,-Wshadow=local)
WARNINGS = -Wall -Wextra -Werror $(WARN_SHADOW) -Wstrict-prototypes -Wmissing-prototypes \
           -Wpointer-arith -Wundef -Wvla
FLAGS_release  = -O3 -g
FLAGS_debug    = -O1 -g -DHEDDLE_DEBUG
FLAGS_torture  = -O1 -g -DHEDDLE_DEBUG -DHEDDLE_TORTURE
FLAGS_sanitize = -O1 -g -DHEDDLE_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=all
CFLAGS = -std=gnu11 $(WARNINGS) $(FLAGS_$(MODE)) -Isrc -I. $(EXTRA_CFLAGS)
LDFLAGS = $(if $(filter sanitize,$(MODE)),-fsanitize=address$(comma)undefined)
comma := ,
LDLIBS = -lm

ALL_C   := $(sort $(shell find src oracle -name '*.c' ! -path 'src/runtime/*'))
TEST_C  := $(filter %_test.c,$(ALL_C))
LIB_C   := $(filter-out %_test.c src/cli/main.c oracle/%,$(ALL_C))
ORACLE_C := $(filter-out %_test.c oracle/main.c,$(filter oracle/%,$(ALL_C)))

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
TESTS := $(patsubst %.c,$(BUILD)/tests/%,$(TEST_C))

all: $(BUILD)/heddle

$(BUILD)/libheddle.a: $(call objects,$(LIB_C))
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/heddle: $(call objects,src/cli/main.c) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/heddle-fuzz: $(call objects,oracle/main.c $(ORACLE_C)) $(BUILD)/libheddle.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/%: $(BUILD)/obj/%.o $(call objects,$(ORACLE_C)) $(BUILD)/libheddle.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lcmocka

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c -o $@ $<

unit-tests: $(TESTS)
	@for t in $(TESTS); do $$t || exit 1; done

clean:
	rm -rf build

-include $(patsubst %.c,$(BUILD)/obj/%.d,$(ALL_C))

.PHONY: all clean unit-tests
.SECONDARY:
