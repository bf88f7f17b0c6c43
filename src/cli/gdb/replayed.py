"""heddle's commands in gdb: along the schedule of an error, step by step, forwards and backwards.

gdb runs `heddle debuggee`, which replays the schedule in one process. All threads of the program are
fibers of that process; heddle keeps a table of them for debuggers, which is described in
src/targets/runtime/kernel/debugger.h and is all that this file knows of heddle. At a step gdb stands on
the stack of the thread that takes it, so that its own commands work. Another thread is shown by
setting the three registers at which it will go on; they are put back before anything runs.

Going back is starting the process again and going to an earlier step.
"""

# First part of three: what is known of the replayed schedule, and of the process that replays it.

import json
import os
import re

import gdb

VERSION = 1
ABSENT, READY, BLOCKED, ENDED, FAILED = range(5)
RECORD_SIZE, OPERATION_AT, FAULT_AT = 160, 48, 16
WORDS = ["version", "step", "thread", "stop", "resume", "thread_count", "threads", "text_low",
         "text_size", "current"]
REGISTERS = {"i386:x86-64": ("rip", "rsp", "rbp"), "aarch64": ("pc", "sp", "x29")}


def memory(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def word(address):
    return int.from_bytes(memory(address, 8), "little")


class Table:
    """The words of heddle_debugger."""

    def __init__(self):
        self.address = int(gdb.parse_and_eval("(unsigned long)&heddle_debugger"))
        if word(self.address) != VERSION:
            raise gdb.GdbError("these commands belong to another version of heddle")

    def __getattr__(self, name):
        return word(self.address + 8 * WORDS.index(name))

    def stop_at(self, step):
        place = self.address + 8 * WORDS.index("stop")
        gdb.selected_inferior().write_memory(place, step.to_bytes(8, "little"))

    def record(self, thread):
        return memory(self.threads + RECORD_SIZE * thread, RECORD_SIZE)

    def state(self, thread):
        known = thread < self.thread_count
        return int.from_bytes(self.record(thread)[:8], "little") if known else ABSENT

    def operation(self, thread):
        return self.record(thread)[OPERATION_AT:].split(b"\0")[0].decode(errors="replace")

    def context(self, thread):
        """Program counter, stack pointer and frame pointer of a thread that does not run."""
        record = self.threads + RECORD_SIZE * thread
        place = record + FAULT_AT if word(record + FAULT_AT) else word(record + 8)
        return [word(place + 8 * i) for i in range(3)]

    def running(self):
        """The thread that runs: the one that takes the step, or one that was created in it."""
        first, second = (word(self.threads + RECORD_SIZE * i + 8) for i in range(2))
        current = word(self.current)
        return (current - first) // (second - first) if current else self.thread

    def in_program(self, frame):
        return 0 <= frame.pc() - self.text_low < self.text_size


def is_alive():
    return gdb.selected_inferior().pid != 0


class Finding:
    """What the schedule does, in words; written by heddle."""

    def __init__(self, directory):
        with open(os.path.join(directory, "finding.json"), encoding="utf-8", errors="replace") as file:
            self.data = json.load(file)["findings"][0]
        self.steps = self.data["steps"]
        self.threads = self.data["threads"]
        self.count = len(self.steps)
        failed = [i + 1 for i, step in enumerate(self.steps) if step["failed"]]
        at_end = self.data["end"] != "error" or not failed
        self.failing = self.count + 1 if at_end else failed[-1]
        self.endless = self.data["end"] == "error" and self.data["kind"] in ("hang", "unfinished")

    def thread_of(self, step):
        return self.steps[step - 1]["thread"]

    def words_of(self, step):
        taken = self.steps[step - 1]
        words = re.sub(" +", " ", taken["text"])
        place = f"  ({taken['where']})" if taken["where"] else ""
        return f"{self.name_of(taken['thread'])}: {words}{place}"

    def holdings(self, step):
        """The locks that each thread holds before a step, with the steps that took them."""
        held = {}
        for number, taken in enumerate(self.steps[:step - 1], 1):
            if taken["takes"] and taken["acquired"]:
                held[taken["object"]] = (taken["thread"], number)
            elif taken["releases"]:
                held.pop(taken["object"], None)
        return held

    def name_of(self, thread):
        return self.threads[thread] if thread < len(self.threads) else f"thread {thread}"

    def number_of(self, name):
        if name not in self.threads:
            raise gdb.GdbError(f"there is no thread {name}; there are {', '.join(self.threads)}")
        return self.threads.index(name)

    def message(self):
        """The reasons of a deadlock say more than its message."""
        blocked = len(self.data["waits"])
        return {"nothing": "no error",
                "deadlock": f"deadlock: {blocked} thread{'s are' if blocked > 1 else ' is'} blocked forever",
                "error": self.data["message"]}[self.data["end"]]
