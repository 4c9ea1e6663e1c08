# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Long runs of the scripts beside this file: progress, failures written at once, and an orderly end by time or by a signal."""
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

PROGRESS_INTERVAL = 10  # seconds
POLL_INTERVAL = 0.1


class CutOff(Exception):
    """The run ended before this command did."""


class Campaign:
    """A run with a limit of time. SIGTERM and SIGINT end it early; its commands end with it, and the caller still prints its table."""

    def __init__(self, output, seconds=None, grace=0):
        self.output, self.start, self.seconds, self.grace = output, time.monotonic(), seconds, grace
        self.reason = ""
        self.failures = 0
        self.stopped = False
        self.children = set()
        self.lock = threading.Lock()
        os.makedirs(output, exist_ok=True)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.interrupt)

    def interrupt(self, number, _):
        self.reason = "cut off by %s after %d s" % (signal.Signals(number).name, self.elapsed())

    def elapsed(self):
        return time.monotonic() - self.start

    def over(self):
        if not self.reason and self.seconds is not None and self.elapsed() >= self.seconds:
            self.reason = "ended after %d s" % self.elapsed()
        return bool(self.reason)

    def note(self):
        """What the table's line says of an early end."""
        return ", " + self.reason if self.reason else ""

    def fail(self, text):
        """Prints a failure and appends it to OUTPUT/failures.txt."""
        with self.lock:
            self.failures += 1
            print(text, flush=True)
            with open(os.path.join(self.output, "failures.txt"), "a", encoding="utf-8") as out:
                out.write(text + "\n")

    def begin(self, command, **more):
        """Starts a command in a process group of its own, which the end of the run kills."""
        with self.lock:
            if self.stopped:
                raise CutOff
            child = subprocess.Popen(command, start_new_session=True, **more)
            self.children.add(child)
            return child

    def finish(self, child, timeout=None):
        """Waits for a command. Returns what it printed. Raises subprocess.TimeoutExpired, or CutOff if the run killed it."""
        try:
            printed = child.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            kill(child)
            child.communicate()
            raise
        finally:
            with self.lock:
                self.children.discard(child)
        if self.stopped:
            raise CutOff
        return printed

    def run(self, command, timeout=None, **more):
        child = self.begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **more)
        out, err = self.finish(child, timeout)
        return subprocess.CompletedProcess(command, child.returncode, out, err)

    def stop(self):
        """Ends all commands: by SIGTERM where the run gives them time to print what they have, then by SIGKILL."""
        with self.lock:
            self.stopped = True
            for child in self.children:
                kill(child, signal.SIGTERM if self.grace else signal.SIGKILL)
        end = time.monotonic() + self.grace
        while self.children and time.monotonic() < end:
            time.sleep(POLL_INTERVAL)
        with self.lock:
            for child in self.children:
                kill(child)

    def follow(self, futures, describe):
        """Waits for the futures; prints describe() every ten seconds. Ends the commands when the run is over."""
        last = time.monotonic()
        while not all(future.done() for future in futures):
            if self.over():
                self.stop()
                break
            time.sleep(POLL_INTERVAL)
            if time.monotonic() - last >= PROGRESS_INTERVAL:
                last = time.monotonic()
                print("%d s: %s" % (self.elapsed(), describe()), file=sys.stderr, flush=True)
        for future in futures:
            future.result()


def kill(child, number=signal.SIGKILL):
    try:
        os.killpg(child.pid, number)
    except ProcessLookupError:
        pass


def try_seeds(campaign, seeds, jobs, what, try_seed, each=1):
    """try_seed(seed) of every seed on `jobs` threads; its text says what is wrong. `each`: inputs of a seed. Returns the inputs tried."""
    waiting, tried, lock = iter(seeds), [0], threading.Lock()

    def work():
        while not campaign.over():
            with lock:
                seed = next(waiting, None)
            if seed is None:
                return
            try:
                problem = try_seed(seed)
            except CutOff:
                return
            with lock:
                tried[0] += each
            if problem:
                campaign.fail("seed %d: %s" % (seed, problem))

    total = " of %d" % (len(seeds) * each) if isinstance(seeds, range) else ""
    with ThreadPoolExecutor(jobs) as pool:
        campaign.follow([pool.submit(work) for _ in range(jobs)],
                        lambda: "%d%s %s, %d failed" % (tried[0], total, what, campaign.failures))
    return tried[0]


def group_seconds(group):
    """Processor time of the processes of a group, and of those of their children that they have waited for."""
    ticks = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % process, encoding="utf-8", errors="replace") as stat:
                fields = re.sub(r"^.*\) ", "", stat.read(), flags=re.S).split()
        except OSError:  # ended meanwhile
            continue
        if int(fields[2]) == group:
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")
