# Second part: where the replay stands, and how it gets elsewhere.

# Where gdb stands: before a step, inside it, where the program failed in it, or after the last.
BEFORE, INSIDE, FAILING, AFTER = range(4)


class Mark(gdb.Breakpoint):
    """A place in heddle at which the replay stops; the user does not see it."""

    def __init__(self, place):
        super().__init__(f"*(void *)&heddle_debugger_{place}", internal=True)
        self.silent = True


class FailureMark(Mark):
    """Only the failure of the step that the finding is about counts on the way to another step."""

    def stop(self):
        return session.wants_failure()


class Main(gdb.Breakpoint):
    """The program's main function."""

    def __init__(self):
        super().__init__("main", internal=True, temporary=True)
        self.silent = True


class Session:
    """The replay: where it stands, and how it gets elsewhere."""

    def __init__(self):
        self.finding = self.table = None
        self.where = AFTER
        self.travels = False  # one of heddle's own commands runs the program
        self.goal = 0  # the step that it goes to
        self.saved = None  # the registers, while another thread is shown
        self.shown = 0  # the thread that is
        self.last = 0  # the one to show after the last step
        self.reported = 0  # the step that was printed last

    # ---- opening ----

    def open(self, directory):
        self.finding = Finding(directory)
        for line in ("set debuginfod enabled off", "set disable-randomization on",
                     "set breakpoint pending on", "set follow-fork-mode parent",
                     "set detach-on-fork on",
                     "handle SIGSEGV SIGBUS SIGFPE SIGILL nostop noprint pass"):
            try:
                gdb.execute(line, to_string=True)
            except gdb.error:
                pass
        self.resumed = Mark("resumed")
        self.ended = Mark("ended")
        self.failed = FailureMark("failed")
        gdb.events.stop.connect(self.on_stop)
        gdb.events.exited.connect(self.on_exit)
        gdb.frame_filters["heddle"] = HeddleFrames()
        if self.finding.endless and not self.finding.count:
            gdb.execute("python Main()", to_string=True)  # there is none yet, as gdb would say
        self.start(self.finding.failing)
        self.report()

    # ---- running ----

    def run(self, command):
        """Runs the program up to the goal. The user's breakpoints are for the user's commands."""
        users = [b for b in gdb.breakpoints() if b.enabled and b.number > 0]
        for breakpoint in users:
            breakpoint.enabled = False
        self.travels = True
        try:
            gdb.execute(command, to_string=True)
        finally:
            self.travels = False
            for breakpoint in users:
                breakpoint.enabled = True

    def start(self, step):
        self.saved = self.table = None
        self.goal = step
        gdb.execute(f"set environment HEDDLE_DEBUGGER_STEP {step}")
        if is_alive():
            gdb.execute("with confirm off -- kill", to_string=True)
        self.run("run")
        if not is_alive():
            raise gdb.GdbError("the replay ended before it could be stopped")

    def go(self, step):
        """To right before that step; count + 1 is after the last."""
        self.check_alive()
        self.check_end(step)
        if step > self.step() and self.where != AFTER:
            self.restore()
            self.goal = step
            self.table.stop_at(step)
            self.run("continue")
        elif (step, self.where) not in ((self.step(), BEFORE), (self.finding.count + 1, AFTER)):
            self.start(step)
        else:
            self.show(self.thread())

    def fail(self):
        """Through the step that fails, to the place where it does."""
        self.check_end(self.finding.failing + 1)
        self.restore()
        self.goal = 0
        self.table.stop_at(self.step() + 1)
        self.run("continue")

    def wants_failure(self):
        if not self.find_table():
            return False  # in the run that nobody sees
        return not self.travels or (self.goal == 0 and self.step() == self.finding.failing)

    def find_table(self):
        """It is looked for once in each process, which takes a while."""
        if not self.table:
            try:
                self.table = Table()
            except (gdb.error, gdb.GdbError):
                pass  # heddle has not come to it yet
        return self.table

    def check_alive(self):
        if not self.finding:
            raise gdb.GdbError("no schedule is open; heddle replay --gdb FILE opens one")
        if not is_alive() or not self.table:
            raise gdb.GdbError("the program does not run; heddle goto N starts it again")

    def check_end(self, step):
        finding = self.finding
        if finding.endless and (step > finding.failing or not finding.count):
            where = f"step {finding.failing}" if finding.count else "what comes before the first step"
            raise gdb.GdbError(f"{where} does not end ({finding.message()}); gdb's own next and step "
                               "go along it")

    # ---- stopping ----

    def on_exit(self, _):
        self.saved = self.table = None
        self.where = AFTER

    def on_stop(self, event):
        if not is_alive():
            return
        self.saved = None
        if not self.find_table():
            return
        marks = [b for b in getattr(event, "breakpoints", []) if isinstance(b, Mark)]
        self.where = INSIDE
        if self.resumed in marks:
            self.where = BEFORE
            self.set_registers([self.table.resume])
        elif self.ended in marks:
            self.where = AFTER
            self.show_thread_of_end()
        elif self.failed in marks:
            self.where = FAILING
        self.shown = self.thread()
        in_heddle = not self.table.in_program(gdb.newest_frame())
        if in_heddle:
            self.select_program_frame()
        if self.travels:
            return
        if marks or in_heddle:
            self.report()
        elif self.reported != self.step():
            self.print_step()

    def show_thread_of_end(self):
        """The one that the finding is about, as far as it still has a stack."""
        waits = [w["thread"] for w in self.finding.data["waits"]]
        candidates = [self.finding.data["thread"], *waits, *range(self.table.thread_count)]
        for thread in candidates:
            if thread >= 0 and self.has_stack(thread):
                self.last = thread
                self.show(thread)
                return

    # ---- where it stands ----

    def step(self):
        return self.table.step

    def thread(self):
        """The one whose registers these are, unless another is shown."""
        return self.last if self.where == AFTER else self.table.running()

    def print_step(self):
        finding, step = self.finding, self.step()
        self.reported = step
        if self.where == AFTER:
            after = f"after the last step, {step - 1}" if step > 1 else "before the first step"
            print(f"{after}: {finding.message()}")
            for reason in finding.data["reasons"]:
                print(f"  {reason}")
            return
        if not step:
            print(f"before the first step: {finding.message()}")
            return
        how = {BEFORE: "before", INSIDE: "in", FAILING: "in"}[self.where]
        print(f"{how} step {step} of {finding.count}: {finding.words_of(step)}")
        if self.thread() != self.table.thread:
            print(f"  {finding.name_of(self.thread())} runs up to its first operation")
        if step == finding.failing:
            print(f"  it {'failed' if self.where == FAILING else 'fails'}: {finding.message()}")

    def report(self):
        self.print_step()
        if self.shown != self.thread():
            print(f"  shown is {self.finding.name_of(self.shown)}")
        if self.table.in_program(gdb.selected_frame()):
            gdb.execute("frame")

    # ---- threads ----

    def registers(self):
        return REGISTERS[gdb.newest_frame().architecture().name()]

    def set_registers(self, values):
        """In the newest frame: those of another frame are saved on the stack."""
        for name, value in zip(self.registers(), values):
            gdb.newest_frame().select()
            gdb.parse_and_eval(f"${name} = {value}")

    def show(self, thread):
        """Selects the first frame of the program in that thread."""
        if self.is_running(thread):
            self.restore()
        else:
            if not self.has_stack(thread):
                created = self.table.state(thread) != ABSENT
                raise gdb.GdbError(f"{self.finding.name_of(thread)} "
                                   f"{'has ended' if created else 'is not created yet'}")
            if not self.saved:
                frame = gdb.newest_frame()
                self.saved = [int(frame.read_register(name)) for name in self.registers()]
            self.set_registers(self.table.context(thread))
        self.shown = thread
        self.select_program_frame()

    def has_stack(self, thread):
        return self.table.state(thread) in (READY, BLOCKED, FAILED)

    def is_running(self, thread):
        return self.where != AFTER and thread == self.table.running()

    def restore(self):
        """Nothing may run while another thread is shown."""
        if self.saved:
            self.set_registers(self.saved)
            self.saved = None
        self.shown = self.thread()

    def select_program_frame(self):
        frame = gdb.newest_frame()
        while frame and not self.table.in_program(frame):
            frame = frame.older()
        (frame or gdb.newest_frame()).select()

    # ---- gdb's own commands ----

    def before_native(self, leave):
        """One of gdb's commands is about to run the program. `leave`: it goes along source lines,
        and so has to begin in the program, after the operation that the step is about."""
        if not self.finding or not is_alive() or not self.table or self.travels:
            return
        if self.where == AFTER:
            raise gdb.GdbError("the replay is over; heddle back and heddle goto N go back")
        selected = gdb.selected_frame().level() if not self.saved else -1
        if self.saved and self.shown != self.thread():
            print(f"{self.finding.name_of(self.thread())} continues, in step {self.step()}")
        self.restore()
        self.table.stop_at(0)
        if leave and not self.table.in_program(gdb.newest_frame()):
            self.leave_heddle()
        elif selected < 0:
            self.select_program_frame()

    def leave_heddle(self):
        """Lets heddle's function take the operation, and return."""
        frame = gdb.newest_frame()
        while frame.older() and not self.table.in_program(frame.older()):
            frame = frame.older()
        if not frame.older():
            return
        caller, self.goal = frame.older().pc(), 0
        finish = gdb.FinishBreakpoint(frame, internal=True)
        finish.silent = True
        self.run("continue")
        if finish.is_valid():
            finish.delete()
        if is_alive() and gdb.newest_frame().pc() == caller:
            if gdb.find_pc_line(caller - 1).line == gdb.find_pc_line(caller).line:
                return  # in the middle of the line, which gdb finishes
            gdb.execute("frame")
            raise gdb.GdbError("[the operation ends the line]")  # so gdb's command is done
        if is_alive():
            self.report()
        raise gdb.GdbError("[the thread has not finished the line]")


class HeddleFrames:
    """Leaves heddle's own frames out of backtraces; their numbers stay."""

    def __init__(self):
        self.name, self.enabled, self.priority = "heddle", True, 100

    def filter(self, frames):
        if not session.table or not is_alive():
            return frames
        return (f for f in frames if not self.is_heddles(f.inferior_frame()))

    @staticmethod
    def is_heddles(frame):
        return frame.type() == gdb.SIGTRAMP_FRAME or gdb.solib_name(frame.pc()) is None


session = Session()
