#!/usr/bin/env python3
"""Runs daemons for a long time under random disturbances: `soak.py STINT REPOSITORY [--minutes N] [--seed S]`.

Two daemons run at the same time. The first daemon repeats simulated days at 3,600 times real time. The second
daemon serves a site in real time, with two plugins in separate processes. Disturbances are random edits of policies
and signals for both daemons. Disturbances of the second daemon are also killed plugins, a file that blocks, and,
with `--clock-steps`, steps of the wall clock. The script checks that

- `status` answers within one second (`--patience`), and its time advances;
- the second daemon ends only after a signal, within five seconds; the first daemon ends with its day, or within one
  second after a signal;
- the private memory of the second daemon grows by at most 20 % plus 1 MB after the first tenth of a run;
- a sysfs file that blocks causes a fault that names the file, and `status` still answers;
- the ledger of each simulated day is balanced: devices, clients and rules have equal sums;
- `stint replay` repeats the decisions of every fifth simulated day from the day's journal.

The script prints one line for each kind of event. The exit code is 1 when a check failed. The seed is printed;
`--seed` repeats its random choices.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

POLICY = """policy "box" version 1

use ambient.temperature as temp

rule cold "in the cold, one sample per second" while temp.temperature < %d C { downgrade temp to 1 Hz }
"""

# Opening the file of the accelerometer's x axis waits while the file $SLOW_SWITCH exists.
SLOW = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static void hold(const char *path) {
  const char *on = getenv("SLOW_SWITCH");
  struct timespec rest = {0, 20000000};
  if (!on || !path || !strstr(path, "in_accel_x_raw")) return;
  while (access(on, F_OK) == 0) nanosleep(&rest, NULL);
}
#define OPEN(name) int name(const char *path, int flags, ...) { \
  va_list list; va_start(list, flags); int mode = va_arg(list, int); va_end(list); \
  hold(path); return openat(AT_FDCWD, path, flags, mode); }
OPEN(open)
OPEN(open64)
"""


def status_of(path, seconds=20):
    """Returns the text of `status` and the seconds until the answer; the text is None without an answer."""
    began = time.monotonic()
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(seconds)
            asking.connect(path)
            asking.sendall(b'{"ask": "status"}\n')
            with asking.makefile() as answers:
                text = json.loads(answers.readline() or '{"text": null}').get("text")
    except (OSError, ValueError):
        text = None
    return text, time.monotonic() - began


def private(process):
    """Returns the private memory of a process in kB. Pages of code are not counted: an idle daemon
    releases them."""
    with open(f"/proc/{process}/status") as file:
        return int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1))


class Ledger:
    """Counts of events by kind, and the sentences of failures."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = {}
        self.failures = []
        self.slowest = {}

    def count(self, kind, more=1):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + more

    def fail(self, sentence):
        with self.lock:
            self.failures.append(sentence)
        print("FAILED " + sentence, flush=True)

    def took(self, kind, seconds):
        with self.lock:
            self.slowest[kind] = max(self.slowest.get(kind, 0), seconds)


class Watch(threading.Thread):
    """Requests the status of a daemon four times a second."""

    def __init__(self, name, daemon, path, ledger, patience):
        super().__init__(daemon=True)
        self.of, self.process, self.path = name, daemon, path
        self.ledger, self.patience = ledger, patience
        self.over = threading.Event()
        self.sizes = []
        self.clock = None

    def run(self):
        while not self.over.wait(0.25):
            text, seconds = status_of(self.path)
            if self.over.is_set() or self.process.poll() is not None or (text is None and self.is_ending()):
                return
            self.ledger.count(f"{self.of}: answers of status")
            self.ledger.took(f"{self.of}: slowest answer of status", seconds)
            if text is None:
                self.ledger.fail(f"{self.of}: status was not answered")
            elif seconds > self.patience:
                self.ledger.fail(f"{self.of}: status took {seconds:.2f} s")
            try:
                self.sizes.append(private(self.process.pid))
            except (OSError, AttributeError):
                return
            self.look(text or "")

    def is_ending(self):
        """Returns whether the process ends within the time limit. A request during the end has no answer."""
        try:
            self.process.wait(self.patience)
            return True
        except subprocess.TimeoutExpired:
            return False

    def look(self, text):
        """Checks that the clock of `status` has advanced since the last call, at 3,600 times real time."""
        now = re.search(r"\d\d:\d\d:\d\d", text)
        if self.of != "simulated" or not now:
            return
        if now.group(0) == self.clock and now.group(0) < "17:55:00":
            self.ledger.fail(f"simulated: the clock stays at {self.clock}")
        self.clock = now.group(0)


def books(text):
    """Returns the printed totals of energy by device, by client and by rule."""
    return re.findall(r"^  total +([\d .]+?)\s*$", text, re.MULTILINE)


def simulated_days(options, folder, ledger, until, dice):
    policies = os.path.join(folder, "policies")
    os.mkdir(policies)
    source = os.path.join(options.repository, "policies", "hiking.stint")
    with open(source) as file:
        hiking = file.read()
    day = 0
    while time.monotonic() < until:
        day += 1
        with open(os.path.join(policies, "hiking.stint"), "w") as file:
            file.write(hiking)
        paths = {name: os.path.join(folder, f"{name}-{day}") for name in ("socket", "journal", "state", "out")}
        with open(paths["out"], "w") as out:
            daemon = subprocess.Popen(
                [options.stint, "run", "--policies", policies, "--simulate", "day-hike", "--speed", "3600", "--seed",
                 str(day), "--control", paths["socket"], "--journal", paths["journal"], "--quiet"],
                stdout=out, stderr=out)
        while not os.path.exists(paths["socket"]) and daemon.poll() is None:
            time.sleep(0.01)
        watch = Watch("simulated", daemon, paths["socket"], ledger, options.patience)
        watch.start()
        began = time.monotonic()
        ends_early = dice.random() < 0.2
        while daemon.poll() is None and time.monotonic() - began < 10 + options.patience + 3:
            time.sleep(dice.uniform(0.05, 1.5))
            if daemon.poll() is not None:
                break
            act = dice.choice(["edit", "edit", "wrong edit", "hang up", "end" if ends_early else "edit"])
            if act == "edit":
                minutes = dice.randint(3, 9)
                text = hiking.replace("for 4 min", f"for {minutes} min")
                with open(os.path.join(policies, "new"), "w") as file:
                    file.write(text)
                os.rename(os.path.join(policies, "new"), os.path.join(policies, "hiking.stint"))
            elif act == "wrong edit":
                with open(os.path.join(policies, "hiking.stint"), "w") as file:
                    file.write(hiking[: dice.randrange(len(hiking))])
            elif act == "hang up":
                daemon.send_signal(signal.SIGHUP)
            else:
                told = time.monotonic()
                daemon.send_signal(dice.choice([signal.SIGTERM, signal.SIGINT]))
                end_of(daemon, told, "simulated", ledger, options.patience)
            ledger.count(f"simulated: {act}")
        watch.over.set()
        finish_day(options, daemon, paths, ledger, day)
    ledger.count("simulated: days", day)


def end_of(daemon, told, name, ledger, patience):
    try:
        daemon.wait(20)
    except subprocess.TimeoutExpired:
        ledger.fail(f"{name}: did not end within 20 s of the signal")
        daemon.kill()
        daemon.wait()
    ledger.took(f"{name}: slowest end", time.monotonic() - told)
    if time.monotonic() - told > patience:
        ledger.fail(f"{name}: took {time.monotonic() - told:.2f} s to end")


def finish_day(options, daemon, paths, ledger, day):
    if daemon.poll() is None:
        ledger.fail(f"simulated: day {day} has not ended in time")
        daemon.kill()
    code = daemon.wait()
    with open(paths["out"]) as file:
        said = file.read()
    if code != 0:
        ledger.fail(f"simulated: day {day} ended with {code}: {said[-300:]}")
    totals = books(said)
    if len(totals) < 3 or len(set(totals)) != 1:
        ledger.fail(f"simulated: day {day}: the sums of the ledger differ: {totals}")
    if day % 5 == 1:
        answer = subprocess.run([options.stint, "replay", paths["journal"]], capture_output=True, text=True)
        ledger.count("simulated: journals replayed")
        if answer.returncode != 0:
            ledger.fail(f"simulated: day {day}: replay: {(answer.stdout + answer.stderr)[-300:]}")
    for name in ("journal", "state", "out"):
        shutil.rmtree(paths[name], ignore_errors=True)
        if os.path.isfile(paths[name]):
            os.unlink(paths[name])


class Site:
    """A daemon in real time, with two thermometers in separate processes, a policy and a control socket."""

    def __init__(self, options, folder, ledger, dice):
        self.options, self.folder, self.ledger, self.dice = options, folder, ledger, dice
        example = os.path.join(options.repository, "Plugins", "Thermometer")
        entries = []
        for name in ("ambient", "cellar"):
            home = os.path.join(folder, name)
            os.mkdir(home)
            for file in ("thermometer.py", "manifest.json", "plugin.json"):
                with open(os.path.join(example, file)) as source:
                    text = source.read()
                if file == "plugin.json":
                    text = json.dumps({**json.loads(text), "needs": []})
                with open(os.path.join(home, file), "w") as target:
                    target.write(text.replace("ambient.temperature", f"{name}.temperature"))
            os.chmod(os.path.join(home, "thermometer.py"), 0o755)
            subprocess.run([options.stint, "plugin", "seal", home], check=True, capture_output=True)
            self.write(f"{name}.txt", "21500\n")
            entries.append({"process": f"{name}/plugin.json", "with": {"source": self.path(f"{name}.txt")}})
        self.make_tree()
        entries.append({"plugin": "iio", "with": {
            "sensor": "accelerometer", "sys": self.path("sys"), "dev": self.path("dev")}})
        demands = [{"target": f"{name}.temperature", "with": {"rate": "5 Hz"}} for name in ("ambient", "cellar")]
        demands.append({"target": "motion.accelerometer", "with": {"rate": "10 Hz"}})
        self.write("site.json", json.dumps({
            "stint_site": 1, "title": "soak", "plugins": entries,
            "clients": [{"name": "logger", "demands": demands}]}))
        self.write("box.stint", POLICY % 10)

    def make_tree(self):
        """Writes the sysfs files of an accelerometer, and compiles a library that makes one of them block."""
        chip = "sys/bus/iio/devices/iio:device0/"
        os.makedirs(self.path(chip))
        os.mkdir(self.path("dev"))
        self.write(chip + "name", "soak_accel\n")
        for axis in "xyz":
            self.write(f"{chip}in_accel_{axis}_raw", "100\n")
        self.write(chip + "in_accel_scale", "0.01\n")
        self.write(chip + "sampling_frequency", "10\n")
        self.write("slow.c", SLOW)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.path("slow.so"), self.path("slow.c")], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def start(self):
        self.out = open(self.path("out"), "a")
        command = [self.options.stint, "run", "--site", self.path("site.json"), "--policies", self.path("box.stint"),
                   "--control", self.path("socket"), "--state", self.path("state"), "--journal", self.path("journal"),
                   "--quiet"]
        environment = dict(os.environ, LD_PRELOAD=self.path("slow.so"), SLOW_SWITCH=self.path("slow"))
        self.daemon = subprocess.Popen(
            command + self.options.more, stdout=self.out, stderr=self.out, env=environment)
        while not os.path.exists(self.path("socket")) and self.daemon.poll() is None:
            time.sleep(0.01)
        time.sleep(0.5)
        self.watch = Watch("site", self.daemon, self.path("socket"), self.ledger, self.options.patience)
        self.watch.start()

    def restart(self):
        told = time.monotonic()
        self.watch.over.set()
        self.daemon.send_signal(self.dice.choice([signal.SIGTERM, signal.SIGINT]))
        end_of(self.daemon, told, "site", self.ledger, 5)
        self.judge_memory()
        if self.daemon.returncode != 0:
            self.ledger.fail(f"site: ended with {self.daemon.returncode}")
        self.start()

    def children(self):
        text, _ = status_of(self.path("socket"))
        return [int(number) for number in re.findall(r"serves, process (\d+)", text or "")]

    def judge_memory(self):
        sizes = self.watch.sizes
        if len(sizes) < 400:
            return
        first, last = sizes[len(sizes) // 10], max(sizes[-len(sizes) // 10:])
        self.ledger.took("site: largest growth of memory, as a fraction", last / first - 1)
        if last > first * 1.2 + 1024:
            self.ledger.fail(f"site: memory grew from {first} kB to {last} kB")

    def act(self):
        act = self.dice.choice(["edit", "wrong edit", "kill a plugin", "hang up", "temperature", "slow file", "clock"])
        if act == "edit":
            self.write("new", POLICY % self.dice.randint(5, 30))
            os.rename(self.path("new"), self.path("box.stint"))
        elif act == "wrong edit":
            self.write("box.stint", POLICY[: self.dice.randrange(len(POLICY))])
        elif act == "kill a plugin":
            for child in self.children()[:1]:
                os.kill(child, signal.SIGKILL)
        elif act == "hang up":
            self.daemon.send_signal(signal.SIGHUP)
        elif act == "temperature":
            self.write("ambient.txt", f"{self.dice.randint(-5000, 30000)}\n")
        elif act == "slow file":
            self.slow_file()
        elif act == "clock":
            if not self.options.clock_steps:
                return
            self.write("clock.new", f"{self.dice.randint(-86_400, 86_400)}\n")
            os.rename(self.path("clock.new"), self.path("clock"))
        self.ledger.count(f"site: {act}")

    def slow_file(self):
        before = os.path.getsize(self.path("out"))
        seconds = self.dice.choice([0.5, 1.5, 6])
        self.write("slow", "")
        time.sleep(seconds)
        text, took = status_of(self.path("socket"))
        os.unlink(self.path("slow"))
        if text is None or took > self.options.patience:
            self.ledger.fail(f"site: while a file blocks, status took {took:.2f} s")
        with open(self.path("out"), "rb") as out:
            out.seek(before)
            said = out.read().decode(errors="replace")
        if seconds > 5 and self.daemon.poll() is None and "in_accel_x_raw takes longer than 2 s" not in said:
            self.ledger.fail(f"site: no fault names the blocked file: {said[-300:]!r}")
        self.ledger.count(f"site: slow file for {seconds} s")

    def live(self, until):
        self.start()
        lives = time.monotonic() + self.dice.uniform(120, 600)
        while time.monotonic() < until:
            time.sleep(self.dice.uniform(0.2, 4))
            if self.daemon.poll() is not None:
                self.ledger.fail(f"site: the daemon has ended with code {self.daemon.returncode}")
                self.start()
            if time.monotonic() > lives:
                self.restart()
                self.ledger.count("site: restarts")
                lives = time.monotonic() + self.dice.uniform(120, 600)
            self.act()
        told = time.monotonic()
        self.watch.over.set()
        self.daemon.terminate()
        end_of(self.daemon, told, "site", self.ledger, 5)
        self.judge_memory()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stint")
    parser.add_argument("repository")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--patience", type=float, default=1, help="the maximum time in seconds for an answer and for the end of the simulated daemon")
    parser.add_argument("--clock-steps", action="store_true", help="set the wall clock of the site's daemon at random times")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="stint-soak-")
    os.mkdir(os.path.join(folder, "days"))
    os.mkdir(os.path.join(folder, "site"))
    options.more = ["--clock-offset", os.path.join(folder, "site", "clock")] if options.clock_steps else []
    if options.clock_steps:
        with open(os.path.join(folder, "site", "clock"), "w") as file:
            file.write("0\n")
    ledger = Ledger()
    until = time.monotonic() + options.minutes * 60
    print(f"seed {options.seed}, {options.minutes:g} min", flush=True)
    days = threading.Thread(
        target=simulated_days,
        args=(options, os.path.join(folder, "days"), ledger, until, random.Random(options.seed)))
    days.start()
    Site(options, os.path.join(folder, "site"), ledger, random.Random(options.seed + 1)).live(until)
    days.join()
    for kind in sorted(ledger.counts):
        print(f"{ledger.counts[kind]:8d}  {kind}")
    for kind in sorted(ledger.slowest):
        print(f"{ledger.slowest[kind]:8.2f}  {kind}")
    print(f"failures: {len(ledger.failures)}")
    if ledger.failures:
        print(f"the output of the daemons is in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
