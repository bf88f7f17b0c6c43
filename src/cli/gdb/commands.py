# Third part: the commands.

class Prefix(gdb.Command):
    """Go along the schedule of an error.

heddle step [COUNT]             take steps of the schedule
heddle back [COUNT]             go back to the beginning of the step, then to earlier ones
heddle goto N|end               go to right before step N, or after the last
heddle until EXPRESSION changes go to after the next step that changes a value
heddle where                    where the replay stands
heddle threads                  what every thread does next, and the locks that it holds
heddle thread [NAME]            show a thread (main, T1, T2.1): backtrace and locals

gdb's own commands run the thread that takes the step: next and step along its
lines, continue to the failure or the end. backtrace leaves out heddle's frames
(backtrace -no-filters has them)."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, prefix=True)


class Command(gdb.Command):
    """A command that needs the replay."""

    def __init__(self, name, category=gdb.COMMAND_RUNNING):
        super().__init__(f"heddle {name}", category)

    def invoke(self, argument, from_tty):
        session.check_alive()
        self.act(argument.strip())


def count_of(argument):
    if not argument:
        return 1
    if not re.fullmatch("[0-9]+", argument) or int(argument) == 0:
        raise gdb.GdbError(f"{argument}: expected how many steps, from 1")
    return int(argument)


class Before(gdb.Command):
    """For heddle's own use: one of gdb's commands is about to run the program."""

    def __init__(self):
        super().__init__("heddle before", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        session.before_native(argument == "lines")


class Open(gdb.Command):
    """For heddle's own use: begin."""

    def __init__(self):
        super().__init__("heddle open", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        session.open(argument)


class Step(Command):
    """Take steps of the schedule: heddle step [COUNT]. The step that fails is left where it fails."""

    def act(self, argument):
        finding = session.finding
        if session.where == AFTER:
            raise gdb.GdbError("the replay is over; heddle back and heddle goto N go back")
        wanted = min(session.step() + count_of(argument), finding.count + 1)
        if session.where in (BEFORE, INSIDE) and session.step() <= finding.failing < wanted:
            session.go(finding.failing)
            session.fail()
        else:
            session.go(wanted)
        session.report()


class Back(Command):
    """Go back to the beginning of the step, then to earlier ones: heddle back [COUNT]."""

    def act(self, argument):
        inside = session.where in (INSIDE, FAILING)
        wanted = session.step() - count_of(argument) + inside
        if wanted < 1:
            raise gdb.GdbError("the schedule begins with step 1")
        session.go(wanted)
        session.report()


class Goto(gdb.Command):
    """Go to right before a step, or after the last: heddle goto N, heddle goto end."""

    def __init__(self):
        super().__init__("heddle goto", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        finding, argument = session.finding, argument.strip()
        if not finding:
            session.check_alive()
        step = finding.count + 1 if argument == "end" else \
            int(argument) if re.fullmatch("[0-9]+", argument) else 0
        if not 1 <= step <= finding.count + 1:
            raise gdb.GdbError(f"heddle goto: expected a step from 1 to {finding.count}, or end")
        if is_alive() and session.table:
            session.go(step)
        else:
            session.check_end(step)
            session.start(step)
        session.report()


class Where(Command):
    """Say where the replay stands: heddle where."""

    def act(self, _):
        session.report()


def describe(thread):
    """What it does next: "is blocked: lock left"."""
    state, runs = session.table.state(thread), session.is_running(thread)
    takes = session.where != AFTER and thread == session.table.thread
    if runs != takes:  # threads that were created run after the step of their creator
        return f"{'starts in' if runs else 'has taken'} step {session.step()}"
    if state in (ENDED, FAILED):
        return "has ended" if state == ENDED else "has failed, or ended the process"
    does = f"takes step {session.step()}" if takes else "is ready" if state == READY else "is blocked"
    operation = session.table.operation(thread)
    return f"{does}: {operation}" if operation else does


class Threads(Command):
    """List what every thread does next, and the locks that it holds: heddle threads."""

    def act(self, _):
        shown, level = session.shown, gdb.selected_frame().level()
        held = session.finding.holdings(session.step())
        for thread in range(max(session.table.thread_count, session.thread() + 1)):
            if session.table.state(thread) != ABSENT or session.is_running(thread):
                mark = "*" if thread == shown else " "
                name = session.finding.name_of(thread)
                print(f"{mark} {name:<5} {describe(thread)}{self.place(thread)}")
                for lock, (holder, step) in held.items():
                    if holder == thread:
                        print(f"          holds {lock} since step {step}")
        session.show(shown)
        frame = gdb.newest_frame()
        while frame.level() < level and frame.older():
            frame = frame.older()
        frame.select()

    @staticmethod
    def place(thread):
        if not session.has_stack(thread) and not session.is_running(thread):
            return ""
        session.show(thread)
        frame = gdb.selected_frame()
        line = frame.find_sal()
        known = session.table.in_program(frame) and line.symtab
        return f"  ({line.symtab.filename}:{line.line}, {frame.name()})" if known else ""


class Thread(Command):
    """Show a thread, with its backtrace and locals: heddle thread [NAME]."""

    def complete(self, text, word):
        names = session.finding.threads if session.finding else []
        return [name for name in names if name.startswith(text)]

    def act(self, argument):
        thread = session.finding.number_of(argument) if argument else session.shown
        session.show(thread)
        print(f"{session.finding.name_of(thread)} {describe(thread)}")
        gdb.execute("backtrace")
        if session.table.in_program(gdb.selected_frame()):
            gdb.execute("info locals")


class Until(Command):
    """Go to after the next step that changes a value: heddle until EXPRESSION changes.

The expression may name locals of the selected frame: its thread stays the one
that is shown, and the search ends when the function has returned."""

    def act(self, argument):
        match = re.fullmatch(r"(.+?)\s+changes", argument, re.DOTALL)
        if not match:
            raise gdb.GdbError("heddle until: expected an expression of C, and the word changes")
        watched = Watched(match.group(1))
        if session.where == AFTER:
            raise gdb.GdbError("the replay is over; heddle back and heddle goto N go back")
        last = session.finding.failing if session.finding.endless else session.finding.count + 1
        while session.step() < last:
            step = session.step()
            session.go(step + 1)
            now = watched.value()
            if now is None:
                print(f"{watched.expression} no longer exists after step {step}")
                session.show(session.thread())
                break
            if now != watched.first:
                print(f"{watched.expression}: {watched.first} -> {now} in step {step}, "
                      f"{session.finding.words_of(step)}")
                break
        else:
            print(f"{watched.expression} stays {watched.first}")
        session.report()


class Watched:
    """An expression that is evaluated again after each step, in the frame that was selected."""

    def __init__(self, expression):
        frame = gdb.selected_frame()
        self.expression, self.thread = expression, session.shown
        self.frame = self.identity(frame) if self.needs_frame(frame) else None
        try:
            gdb.parse_and_eval(expression)
        except gdb.error as error:
            raise gdb.GdbError(f"{expression}: {error}")
        self.first = self.evaluate()

    def needs_frame(self, frame):
        """It names a local; a member may have the name of one."""
        try:
            block = frame.block()
        except RuntimeError:
            return False
        names = re.findall(r"[A-Za-z_]\w*", re.sub(r"(\.|->)\s*[A-Za-z_]\w*", "", self.expression))
        found = [gdb.lookup_symbol(name, block)[0] for name in names]
        return any(symbol and symbol.needs_frame for symbol in found)

    @staticmethod
    def identity(frame):
        """Of the same call: its function, and the stack above it."""
        older = frame.older()
        return (frame.name(), int(older.read_register("sp")) if older else 0)

    def evaluate(self):
        """What a pointer that is not valid yet leads to cannot be read: shown as a value, too."""
        try:
            return gdb.parse_and_eval(self.expression).format_string(max_elements=0)
        except gdb.error as error:
            return f"<{error}>"

    def value(self):
        """None if the frame has gone."""
        if not self.frame:
            session.select_program_frame()
            return self.evaluate()
        if not session.has_stack(self.thread):
            return None
        session.show(self.thread)
        frame = gdb.selected_frame()
        while frame and self.identity(frame) != self.frame:
            frame = frame.older()
        if not frame:
            return None
        frame.select()
        return self.evaluate()


Prefix()
Open()
Before()
for name, command in (("step", Step), ("back", Back), ("where", Where), ("threads", Threads),
                      ("thread", Thread), ("until", Until)):
    command(name)
Goto()


for kind, names in (("lines", ("next", "step", "until")),
                    ("all", ("continue", "fg", "stepi", "nexti", "finish", "advance", "jump",
                             "signal", "detach", "return"))):
    for name in names:
        gdb.execute(f"define hook-{name}\nheddle before {kind}\nend")
