#!/usr/bin/env python3
"""Runs a daemon under slow files, silent sensors, full disks, a blocked log and pushes.

usage: hardening.py STINT REPOSITORY [--minutes N] [--seed S] [--patience SECONDS]

The daemon serves a site in real time, with a thermometer and a radio in separate processes, a state file and a
journal. Several disturbances happen at random, also at the same time. The script checks that

- `status` answers within 0.2 s (`--patience`) at any time;
- an accepted push is in force afterwards, also after SIGTERM or SIGKILL and a restart; a refused push is not;
- after the disturbances every device serves, also a sensor that sent nothing for some time;
- the newest journal can be replayed at every third restart;
- the private memory grows by at most 20 % plus 1 MB after the first tenth of a run, and the number of
  descriptors does not grow;
- the sums of energy by device, client and rule are equal at the end of each run that SIGTERM ends.

The script needs Linux on x86-64, and root or a system on which users may make namespaces. It needs no network. The
exit code is 1 when a check failed.
"""
import argparse
import atexit
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

OPTIONS = argparse.ArgumentParser(description=__doc__.splitlines()[0])
OPTIONS.add_argument("stint")
OPTIONS.add_argument("repository")
OPTIONS.add_argument("--minutes", type=float, default=60)
OPTIONS.add_argument("--seed", type=int, default=int(time.time()))
OPTIONS.add_argument("--patience", type=float, default=0.2, help="the maximum time in seconds for an answer of status")
OPTIONS = OPTIONS.parse_args()

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "Daemon"), HERE]
sys.argv[1:] = [OPTIONS.stint]
import files  # noqa: E402
import kernelcalls  # noqa: E402

sys.argv[1:] = [OPTIONS.stint, OPTIONS.repository]
import soak  # noqa: E402

POLICY = """policy "files" version %d
use ambient.temperature as temp
rule cold "in the cold, one sample per second" while temp.temperature < 10 C { downgrade temp to 1 Hz }
rule low while battery.level < 1 %% { defer radio.r0 until battery.level > 5 %% deadline 1 h }
"""
# Parts of paths. `slow_file` selects one part; for some time, each access to a path with this part is slow.
SLOW = ["program.py", "thermometer.py", "manifest.json", "plugin.json", "files.stint", "site.json", "/journal", "state",
        "localtime", "temperature"]


class Reader(threading.Thread):
    """Reads the log of the daemon from a pipe, and stops reading while `is_paused` is set."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.text, self.is_paused = path, "", threading.Event()
        self.start()

    def run(self):
        pipe = os.open(self.path, os.O_RDONLY)
        while True:
            if self.is_paused.is_set():
                time.sleep(0.05)
                continue
            data = os.read(pipe, 65536)
            if not data:
                return
            self.text += data.decode(errors="replace")


class Box:
    """A daemon with its site, and the disturbances that are in progress."""

    def __init__(self, ledger, dice):
        self.ledger, self.dice = ledger, dice
        self.folder = files.folder_of()
        self.disk()
        self.thermometer()
        files.write(self.folder + "/policies/files.stint", POLICY % 1)
        self.version = 1     # the version of the last accepted push
        self.attempt = 1     # the version of the last push
        self.possible = {1}  # versions that may be in force: the accepted version, later unanswered pushes
        self.lives = 0
        self.next_kill = 0.0
        self.pushing = threading.Lock()
        self.start()

    def disk(self):
        """Makes a small disk for the state and the journal, in a namespace that all runs of the daemon enter."""
        os.mkdir(self.folder + "/disk")
        script = 'mount -t tmpfs -o size=8m none "$0" && echo mounted && exec sleep infinity'
        # Root needs no user namespace, so the daemon starts plugins as it does on a host.
        spaces = ["-m"] if os.geteuid() == 0 else ["-U", "-r", "-m"]
        self.keeper = subprocess.Popen(["unshare", *spaces, "sh", "-c", script, self.folder + "/disk"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        atexit.register(self.keeper.kill)
        if self.keeper.stdout.readline() != "mounted\n":
            sys.exit("this system cannot mount a disk in a namespace")
        # The path of the disk from outside of the namespace.
        self.room = "/proc/%d/root%s/disk" % (self.keeper.pid, self.folder)
        enter = [shutil.which("nsenter"), "-t", str(self.keeper.pid), *spaces[:-2], "-m"]
        if len(spaces) > 1:
            enter.append("--preserve-credentials")
        words = ["disk/" + word if before in ("--state", "--journal") else word
                 for before, word in zip(["", *files.WORDS], files.WORDS)]
        command = 'cd "$0" && exec "$@"'
        self.words = [*enter, "sh", "-c", command, self.folder, files.STINT, *words, "--clock-offset", "offset"]

    def thermometer(self):
        """Copies the thermometer, with a program that sends nothing while its file contains “mute”."""
        example = os.path.join(OPTIONS.repository, "Plugins", "Thermometer")
        home = self.folder + "/ambient"
        os.mkdir(home)
        for name in ("thermometer.py", "manifest.json", "plugin.json"):
            with open(os.path.join(example, name)) as source:
                text = source.read()
            if name == "plugin.json":
                text = json.dumps({**json.loads(text), "needs": [
                    {"path": self.folder + "/temperature", "access": "read"}]})
            before = "            with open(self.path) as file:\n                degrees = int(file.read()) / 1000\n"
            if name == "thermometer.py":
                assert before in text
                text = text.replace(before, "            with open(self.path) as file:\n"
                                    "                held = file.read()\n"
                                    "            if held == 'mute':\n"
                                    "                return\n"
                                    "            degrees = int(held) / 1000\n")
            files.write(home + "/" + name, text)
        os.chmod(home + "/thermometer.py", 0o755)
        subprocess.run([OPTIONS.stint, "plugin", "seal", home], check=True, capture_output=True)
        self.measure("21500")
        files.write(self.folder + "/site.json", self.site())

    def measure(self, text):
        """Writes the file of the thermometer in place, because the plugin may read only this file."""
        with open(self.folder + "/temperature", "w") as file:
            file.write(text)

    def site(self, has_radio=True, comment=""):
        plugins = [{"process": "ambient/plugin.json", "with": {"source": self.folder + "/temperature"},
                    "allow": [self.folder + "/temperature"]}]
        if has_radio:
            plugins.append({"process": "r0/plugin.json"})
        return json.dumps({
            "stint_site": 1, "title": "soak" + comment, "plugins": plugins,
            "clients": [{"name": "logger", "demands": [
                {"target": "ambient.temperature", "with": {"rate": "5 Hz"}}]}]})

    # The daemon.

    def start(self):
        self.lives += 1
        pipe = self.folder + "/log-%d" % self.lives
        os.mkfifo(pipe)
        self.reader = Reader(pipe)
        self.program = kernelcalls.WatchedProgram(self.words, self.folder, pipe)
        if not files.wait(lambda: os.path.exists(self.folder + "/socket") and "in force" in self.status(), 30):
            self.ledger.fail("the daemon does not answer after its start: " + self.reader.text[-500:])
        self.sizes, self.counts = [], []
        self.is_over = threading.Event()
        self.watch = threading.Thread(target=self.watching, daemon=True)
        self.watch.start()

    def status(self):
        return files.ask(self.folder)[0]

    def watching(self):
        """Asks for the status four times a second."""
        while not self.is_over.wait(0.25):
            text, seconds = files.ask(self.folder)
            if self.is_over.is_set():
                return
            self.ledger.count("answers of status")
            self.ledger.took("slowest answer of status", seconds)
            if "in force" not in text:
                self.ledger.fail("no answer: " + text)
            elif seconds > OPTIONS.patience:
                self.ledger.fail("status took %.2f s; %s" % (seconds, self.disturbances()))
            try:
                self.sizes.append(soak.private(self.program.pid))
                # Each plugin needs several descriptors, so they are counted only while both plugins serve.
                if text.count(" serves, ") == 2:
                    self.counts.append(len(os.listdir("/proc/%d/fd" % self.program.pid)))
            except (OSError, AttributeError):
                return self.ledger.fail("the daemon has ended: " + self.reader.text[-500:])

    def disturbances(self):
        return "slow: %s, log blocked: %s" % (self.program.slow, self.reader.is_paused.is_set())

    def stop(self, number):
        """Ends the daemon with a signal. After SIGTERM, checks exit code, ledger, memory and descriptors."""
        self.is_over.set()
        self.watch.join()
        self.program.delay(None, 0)
        self.reader.is_paused.clear()
        began = time.monotonic()
        self.program.send(number)
        status = self.program.end(20)
        self.ledger.took("slowest end", time.monotonic() - began)
        if number == signal.SIGKILL:
            return
        if status != 0:
            self.ledger.fail("the daemon ended with %s: %s" % (status, self.reader.text[-500:]))
        self.reader.join(5)
        totals = soak.books(self.reader.text)
        if len(totals) < 3 or len(set(totals)) != 1:
            self.ledger.fail("the sums of the ledger differ: %s: %s" % (totals, self.reader.text[-300:]))
        if len(self.sizes) > 400:
            first, last = self.sizes[len(self.sizes) // 10], max(self.sizes[-len(self.sizes) // 10:])
            self.ledger.took("largest growth of memory, as a fraction", last / first - 1)
            if last > first * 1.2 + 1024:
                self.ledger.fail("memory grew from %d kB to %d kB" % (first, last))
            tenth = len(self.counts) // 10
            if tenth > 0 and min(self.counts[-tenth:]) > max(self.counts[:tenth]):
                self.ledger.fail("descriptors grew from %s to %s" % (self.counts[:tenth][-1], self.counts[-1]))

    def restart(self):
        number = self.dice.choice([signal.SIGTERM, signal.SIGKILL])
        with self.pushing:
            self.stop(number)
        self.ledger.count("restarts after " + number.name)
        self.replay()
        self.start()
        self.judge_version("after a restart")

    def replay(self):
        """Replays the newest journal, at every third restart."""
        if self.lives % 3:
            return
        journals = sorted(name for name in os.listdir(self.room + "/journal") if name.endswith(".journal"))
        if journals:
            answer = subprocess.run([OPTIONS.stint, "replay", self.room + "/journal/" + journals[-1]],
                                    capture_output=True, text=True)
            self.ledger.count("journals replayed")
            if answer.returncode != 0:
                self.ledger.fail("replay: " + (answer.stdout + answer.stderr)[-400:])

    def judge_version(self, when):
        text = self.status()
        found = re.search(r"files version (\d+)", text)
        if not found or int(found.group(1)) not in self.possible:
            self.ledger.fail("%s, version %s is in force, not %s" % (
                when, found and found.group(1), sorted(self.possible)))
        elif int(found.group(1)) != self.version:
            self.version = int(found.group(1))
        self.possible = {self.version}

    # Disturbances. Each function begins a disturbance and returns the function that ends this disturbance.

    def slow_file(self):
        part = self.dice.choice(SLOW)
        self.program.delay(part, self.dice.uniform(0.2, 7))
        # One of these disturbances can cause an access to the file.
        self.dice.choice([self.kill_plugin, self.hang_up, self.touch, self.push])()
        self.ledger.count("slow: " + part)
        return lambda: self.program.delay(None, 0)

    def kill_plugin(self):
        """Kills a plugin, at most four times in five minutes, because the fifth failure ends its restarts."""
        if time.monotonic() < self.next_kill:
            return
        self.next_kill = time.monotonic() + 80
        for name in re.findall(r"serves, process (\d+)", self.status())[:1]:
            try:
                os.kill(int(name), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def hang_up(self):
        self.program.send(signal.SIGHUP)

    def touch(self):
        files.write(self.folder + "/site.json", self.site(comment=" %d" % self.dice.randrange(1000)))

    def silence(self):
        self.measure("mute")
        self.ledger.count("silent sensor")
        return lambda: self.measure("%d" % self.dice.randint(0, 30000))

    def full_disk(self):
        """Fills the disk of the state and the journal."""
        try:
            with open(self.room + "/filler", "wb", 0) as file:
                while True:
                    file.write(bytes(4096))
        except OSError:
            pass
        self.ledger.count("full disk")
        return lambda: os.unlink(self.room + "/filler")

    def block_log(self):
        self.reader.is_paused.set()
        self.ledger.count("blocked log")
        return self.reader.is_paused.clear

    def pipe(self):
        """Puts a pipe in place of a plugin's program, and kills a plugin, which must then start again."""
        path = self.folder + "/r0/program.py"
        os.rename(path, path + ".kept")
        os.mkfifo(path)
        self.kill_plugin()
        self.ledger.count("pipe in place of a program")
        return lambda: os.rename(path + ".kept", path)

    def remove_radio(self):
        files.write(self.folder + "/site.json", self.site(has_radio=False))
        self.ledger.count("radio removed from the site")
        return lambda: files.write(self.folder + "/site.json", self.site())

    def push(self):
        if self.pushing.locked():
            return None
        threading.Thread(target=self.pushed, daemon=True).start()
        return None

    def pushed(self):
        with self.pushing:
            self.attempt += 1
            version = self.attempt
            self.possible.add(version)
            answer, _ = files.ask(self.folder, "push", file="files.stint", text=POLICY % version)
            if "no answer" in answer:
                self.ledger.count("pushes without an answer")
            elif "cannot be saved" in answer:
                # The push is refused. The refused push may come into force at a restart only if the disk did
                # not answer in time.
                if "did not answer" not in answer:
                    self.possible.discard(version)
                self.ledger.count("pushes refused because they cannot be saved")
            elif "switched" in answer or "in force" in answer:
                self.version, self.possible = version, {version}
                self.ledger.count("pushes in force")
            else:
                self.possible.discard(version)
                self.ledger.count("pushes refused: " + re.sub(r"[^a-z ]", " ", answer.lower())[:60].strip())

    def calm(self):
        """Checks that everything works when no disturbance is in progress."""
        names = ("ambient.temperature", "radio.r0")
        serves = lambda: all(name + " serves" in self.status() for name in names)
        files.wait(lambda: serves() or "is quarantined" in self.status(), 60)
        if "is quarantined" in self.status():
            # As an operator would, remove the plugins from the site and add them again.
            files.write(self.folder + "/site.json", json.dumps({"stint_site": 1, "title": "x", "plugins": []}))
            # A slow read of the site file may still be in progress, so the daemon may see this edit late.
            files.wait(lambda: all(name + " was removed" in self.status() for name in names), 30)
            files.write(self.folder + "/site.json", self.site())
            self.ledger.count("plugins put back after a quarantine")
        if not files.wait(serves, 60):
            self.ledger.fail("a device does not serve again: " + self.status())
        if not files.wait(lambda: "has not been answered" not in self.status()):
            self.ledger.fail("a file is still late: " + self.status())
        with self.pushing:
            self.judge_version("in a quiet moment")
        self.ledger.count("quiet moments")

    def live(self, until):
        acts = [self.slow_file, self.slow_file, self.silence, self.full_disk, self.block_log, self.pipe,
                self.remove_radio, self.push, self.push]
        while time.monotonic() < until:
            ends = []
            for act in self.dice.sample(acts, self.dice.randint(1, 3)):
                ends.append((act, act()))
                time.sleep(self.dice.uniform(0, 1))
            is_silent = any(act == self.silence for act, _ in ends)
            rest = time.monotonic() + self.dice.uniform(1, 12) + (20 if is_silent else 0)
            while time.monotonic() < rest:
                time.sleep(self.dice.uniform(0.2, 2))
                self.dice.choice([self.push, self.kill_plugin, self.hang_up, lambda: None])()
            for _, end in ends:
                if end:
                    end()
            if self.dice.random() < 0.4:
                self.calm()
            if self.dice.random() < 0.15:
                self.restart()
        self.calm()
        self.stop(signal.SIGTERM)


def main():
    if not kernelcalls.IS_SUPPORTED:
        return print("skipped: not on x86-64")
    ledger = soak.Ledger()
    print("seed %d, %g min" % (OPTIONS.seed, OPTIONS.minutes), flush=True)
    box = Box(ledger, random.Random(OPTIONS.seed))
    box.live(time.monotonic() + OPTIONS.minutes * 60)
    for kind in sorted(ledger.counts):
        print(f"{ledger.counts[kind]:8d}  {kind}")
    for kind in sorted(ledger.slowest):
        print(f"{ledger.slowest[kind]:8.3f}  {kind}")
    print(f"failures: {len(ledger.failures)}")
    if ledger.failures:
        print(f"the files of the daemon are in {box.folder}")
        sys.exit(1)
    shutil.rmtree(box.folder)


main()
