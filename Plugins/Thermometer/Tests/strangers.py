#!/usr/bin/env python3
"""Tests plugins in separate processes, as an operator runs them: `strangers.py PROGRAM REPOSITORY`.

STINT_KILLS is the number of kills of a working daemon's child (default: 40). Prints a line for each successful
check, and exits with 1 at the first failure.
"""

import atexit
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

STINT, REPOSITORY = map(os.path.abspath, sys.argv[1:3])
PLUGIN = os.path.join(REPOSITORY, "Plugins", "Thermometer")
POLICY = """policy "box" version 1

use ambient.temperature as temp

rule cold "no readings below 10 C" while temp.temperature < 10 C { stop temp }
"""


def expect(truth, sentence, more=""):
    print(("ok    " if truth else "WRONG ") + sentence, flush=True)
    if not truth:
        print(more)
        sys.exit(1)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def sealed(folder, *names):
    """Returns the hashes of these files of a folder; absolute paths are used unchanged."""
    return {name: digest(os.path.join(folder, name)) for name in names}


class Site:
    """A folder with a plugin, a site and a policy."""

    def __init__(self, program="thermometer.py", rate="5 Hz", demand=True, entry=None, descriptor=None, hashes=None):
        self.folder = tempfile.mkdtemp(prefix="stint-strangers-")
        for name in ("thermometer.py", "manifest.json", "Tests/broken.py", "Tests/escapes.py"):
            shutil.copy(os.path.join(PLUGIN, name), self.folder)
        target = os.path.join(self.folder, program)
        if not os.path.exists(target):
            shutil.copy(os.path.join(self.folder, "broken.py"), target)
        with open(os.path.join(PLUGIN, "plugin.json")) as file:
            described = json.load(file)
        needs = [{"path": self.path(name), "access": "read"} for name in ("temperature", "warmer")]
        files = sealed(self.folder, "thermometer.py", "manifest.json", program)
        described.update(program=program, needs=needs, files={**files, **(hashes or {})})
        described.update(descriptor or {})
        self.write("plugin.json", json.dumps(described))
        self.write("temperature", "21500\n")
        self.write("box.stint", POLICY)
        demands = [{"target": "ambient.temperature", "with": {"rate": rate}}] if demand else []
        plugin = {"process": "plugin.json", "with": {"source": self.path("temperature")},
                  "allow": [need["path"] for need in described["needs"]]}
        plugin.update(entry or {})
        self.write("site.json", json.dumps({
            "stint_site": 1, "title": "box", "plugins": [plugin],
            "clients": [{"name": "logger", "demands": demands}] if demand else []}))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)


class Daemon:
    """`stint run` on a site."""

    def __init__(self, site, *more, **options):
        self.socket = site.path("socket")
        self.output = open(site.path("output.log"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--site", site.path("site.json"), "--policies", site.path("box.stint"), "--control",
             self.socket, *more], stdout=self.output, stderr=self.output, **options)
        # Kills the daemon also when a failed check ends this program.
        atexit.register(self.process.kill)

    def seen(self):
        with open(self.output.name) as file:
            return file.read()

    def until(self, what, seconds=30, poll=0.02):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = what()
            if found:
                return found
            if self.process.poll() is not None:
                break
            time.sleep(poll)
        expect(False, "the expected state is reached", self.seen() + self.ask("status"))

    def ask(self, *words):
        if words == ("status",):
            # Checks query the status often, so this query uses the socket and starts no process.
            try:
                with socket.socket(socket.AF_UNIX) as asking:
                    asking.settimeout(20)
                    asking.connect(self.socket)
                    asking.sendall(b'{"ask": "status"}\n')
                    with asking.makefile() as answers:
                        return json.loads(answers.readline() or '{"text": ""}')["text"]
            except OSError as error:
                return str(error)
        answer = subprocess.run([STINT, *words, "--control", self.socket], capture_output=True, text=True)
        return answer.stdout + answer.stderr

    def attach(self, name):
        """Attaches a client program. Returns its socket."""
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(30)
        client.connect(self.socket)
        client.sendall(json.dumps({"attach": {"name": name}}).encode() + b"\n")
        return client

    def child(self):
        """Returns the id of the plugin's process; 0 when no process serves."""
        found = re.search(r"serves, process (\d+)", self.ask("status"))
        return int(found.group(1)) if found else 0

    def descriptors(self):
        """Returns the number of the daemon's descriptors. Control connections are left out, because some
        of them may not be closed yet."""
        with open("/proc/net/unix") as file:
            asked = {f"socket:[{words[6]}]" for words in map(str.split, file) if words[7:] == [self.socket]}
        held = f"/proc/{self.process.pid}/fd"
        count = 0
        for number in os.listdir(held):
            try:
                count += os.readlink(os.path.join(held, number)) not in asked
            except FileNotFoundError:
                continue
        return count

    def rings(self):
        """Returns the number of rings that the daemon has mapped."""
        with open(f"/proc/{self.process.pid}/maps") as file:
            return file.read().count("stint-ring")

    def switches(self):
        """Returns the number of voluntary context switches of all threads."""
        count = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/status") as file:
                count += int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", file.read()).group(1))
        return count

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(20)


def is_there(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().split()[2] != "Z"
    except OSError:
        return False


def signals():
    for number in (signal.SIGINT, signal.SIGTERM):
        with Site() as site:
            daemon = Daemon(site)
            child = daemon.until(daemon.child)
            expect(daemon.end(number) == 0 and not is_there(child),
                   f"{number.name} ends the daemon and its child, and switches every device off", daemon.seen())
            expect("every device is off" in daemon.seen() and "fault" not in daemon.seen(),
                   "and reports that every device is off, without a fault", daemon.seen())
    with Site() as site:
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        daemon.end(signal.SIGKILL)
        end = time.monotonic() + 10
        while is_there(child) and time.monotonic() < end:
            time.sleep(0.01)
        expect(not is_there(child), "the child of a killed daemon ends")


def idle():
    idle_with()
    idle_with("--state", "--journal")


def idle_with(*options):
    with Site(demand=False) as site:
        daemon = Daemon(site, *[word for option in options for word in (option, site.path(option[2:]))])
        child = daemon.until(daemon.child)

        def threads():
            with open(f"/proc/{daemon.process.pid}/status") as file:
                return int(re.search(r"Threads:\s+(\d+)", file.read()).group(1))

        # One thread runs the loop. A second thread waits for the end of the child that it has started. A
        # journal has a third thread.
        expected = 3 if "--journal" in options else 2
        daemon.until(lambda: threads() == expected)
        # The daemon releases memory pages of its code 1 s after the last change. File accesses have deadlines
        # of 5 s. The deadlines of the file accesses at the start fall into the measured 6 s. A deadline that
        # was not cancelled therefore causes a context switch that is counted.
        time.sleep(2)
        before = daemon.switches()
        time.sleep(6)
        switches = daemon.switches() - before
        named = " ".join(options)
        expect(switches == 0, f"P12: without demands there are {switches} voluntary context switches in 6 s {named}")
        expect(threads() == expected and is_there(child), f"the daemon has {threads()} threads, and the child runs")
        daemon.end()


def broken():
    for how, fault in (
            ("crash", "crash: ended with status 1, last output “RuntimeError: the bus is on fire”"),
            ("hang", "hang: did not answer within"), ("lie", "lie: published an invalid value"),
            ("flood", "flood: sent more than 1000 frames a second"),
            ("ring-ahead", "lie: moved its position 1099511365632 bytes beyond the ring's bounds"),
            ("ring-length", "lie: announced a frame of 4294967295 bytes, which it has not written"),
            ("ring-wake", "flood: woke the host more than 1000 times a second"),
            ("newer", "version: uses protocol version 2.8, which is newer than 1.8")):
        with Site(how + ".py") as site:
            daemon = Daemon(site)
            daemon.until(lambda: fault in daemon.seen())
            answer = daemon.until(lambda: "ambient.temperature" in (text := daemon.ask("status")) and text)
            expect("in force   box version 1" in answer, f"X07: {how}: “{fault}”, and the daemon runs", answer)
            if how == "newer":
                # The process may be ending when the fault is in the log.
                answer = daemon.until(lambda: "is quarantined" in (text := daemon.ask("status")) and text)
                expect("is quarantined until SIGHUP or a changed seal; " + fault in answer, "and status reports the quarantine", answer)
                why = daemon.ask("why", "ambient.temperature")
                expect("is quarantined until SIGHUP or a changed seal; " + fault in why,
                       "and why reports the quarantine", why)
            expect(daemon.end() == 0, "and the daemon ends normally", daemon.seen())


# A source whose fact is read on request; it prints a line for each reading.
GAUGE = """#!/usr/bin/env python3
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint


class Gauge(stint.Plugin):
    device = "custom.gauge"
    facts = [("value", "items")]

    def apply(self, setting):
        return 0, 0

    def read_facts(self):
        with open(self.settings["source"]) as file:
            self.publish(0, float(file.read()))
        print("read", flush=True)


Gauge().run()
"""

GAUGE_MANIFEST = {
    "stint_manifest": 1, "device": "custom.gauge", "kind": "source", "title": "gauge",
    "facts": [{"name": "value", "unit": "items", "fastest": "1 s", "read": {"every": "1 s"}, "meaning": "a count"}]}

GAUGE_POLICY = """policy "box" version 1

use custom.gauge as gauge

rule high "a value above ten is reported" when gauge.value > 10 items { emit "alarm" }
"""


def readings():
    """Reads a source in a process of its own for a policy."""
    with Site(program="gauge.py", demand=False) as site:
        site.write("gauge.py", GAUGE)
        site.write("manifest.json", json.dumps(GAUGE_MANIFEST))
        with open(site.path("plugin.json")) as file:
            described = json.load(file)
        described["files"] = sealed(site.folder, "thermometer.py", "manifest.json", "gauge.py")
        site.write("plugin.json", json.dumps(described))
        site.write("box.stint", GAUGE_POLICY)
        site.write("temperature", "5\n")
        daemon = Daemon(site)

        def count(word):
            return daemon.seen().count(word)

        daemon.until(lambda: count("gauge: read") > 0 or count("read\n") > 0)
        expect(count("alarm") == 0, "a source in a process is read for a policy that needs its fact", daemon.seen())
        site.write("temperature", "20\n")
        daemon.until(lambda: count("alarm") == 1, 5)
        expect(True, "and the policy decides with the value that was read")
        os.kill(daemon.child(), signal.SIGKILL)
        site.write("temperature", "5\n")
        daemon.until(lambda: daemon.child())
        before, start = count("read\n"), time.monotonic()
        daemon.until(lambda: count("read\n") > before + 1)
        site.write("temperature", "30\n")
        daemon.until(lambda: count("alarm") == 2, 5)
        most = time.monotonic() - start + 2
        expect(count("read\n") - before <= most,
               f"after a kill it is read again, at most once a second: {count('read' + chr(10)) - before}", daemon.seen())
        expect(daemon.end() == 0, "and the daemon ends normally", daemon.seen())


# A process with two devices. The second device is unplugged and plugged in again 1,000 times while both
# devices take samples.
PLUGS = """#!/usr/bin/env python3
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint

TIMES = 1000


class Fixed(stint.Plugin):
    device = "custom.fixed"
    states = ["off", "on"]
    channels = [("x", "items")]
    facts = [("value", "items")]

    def __init__(self):
        super().__init__()
        self.next, self.count = None, 0

    def apply(self, setting):
        self.next = self.now() if setting.is_on else None
        return (1, 20_000_000) if setting.is_on else (0, 0)

    def due(self):
        return self.next

    def work(self):
        self.next = self.now() + 20_000_000
        self.publish(0, self.count % 100)
        self.deliver([(self.now(), self.count, 1, 0, 0, 0)], stint.IMMEDIATE)
        self.count += 1


class Plugged(Fixed):
    device = "custom.plugged"
    flip, left, is_there = None, TIMES, True

    def apply(self, setting):
        if setting.is_on and self.is_there and self.left:
            self.flip = self.now() + (2_000_000 if self.flip else 1_000_000_000)
        return super().apply(setting)

    def due(self):
        return min((due for due in (self.next, self.flip) if due is not None), default=None)

    def work(self):
        if self.flip is None or self.flip > self.now():
            return super().work()
        self.is_there = not self.is_there
        self.next = None
        self.available(self.is_there)
        self.left -= self.is_there
        # The device stays unplugged for 20 ms. Then it stays plugged in until the host has turned it on
        # again.
        self.flip = 1 << 62 if self.is_there else self.now() + 20_000_000
        if not self.left:
            print("finished", flush=True)


stint.Process(Fixed(), Plugged()).run()
"""

PLUGS_POLICY = """policy "box" version 1

use custom.plugged as plugged

rule gone "the device is unplugged" when not plugged.available { emit "gone" }
rule back "the device is plugged in" when plugged.available { emit "back" }
rule some "the device has a value" when known(plugged.value) { emit "some" }
"""


def plugs():
    """Unplugs a device and plugs it in again 1,000 times, while another device of its process samples."""
    with Site(program="plugs.py", demand=False) as site:
        site.write("plugs.py", PLUGS)
        names = []
        for name in ("fixed", "plugged"):
            site.write(name + ".json", json.dumps({
                "stint_manifest": 1, "device": "custom." + name, "kind": "sensor", "title": name,
                "states": [{"name": "off", "power": "0 W", "on": False}, {"name": "on", "power": "1 mW", "on": True}],
                "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off",
                "verbs": ["start", "stop"],
                "attributes": [{"name": "rate", "unit": "Hz", "range": ["1 Hz", "50 Hz"], "default": "50 Hz"}],
                "channels": [{"name": "x", "unit": "items"}],
                "facts": [{"name": "value", "unit": "items", "fastest": "1 ms", "max_age": "1 h", "meaning": "a count"}]}))
            names.append(name + ".json")
        with open(site.path("plugin.json")) as file:
            described = json.load(file)
        del described["manifest"]
        described.update(manifests=names, files=sealed(site.folder, "thermometer.py", "plugs.py", *names))
        site.write("plugin.json", json.dumps(described))
        site.write("box.stint", PLUGS_POLICY)
        with open(site.path("site.json")) as file:
            described = json.load(file)
        described["clients"] = [{"name": "logger", "demands": [
            {"target": "custom." + name, "with": {"rate": "50 Hz"}} for name in ("fixed", "plugged")]}]
        site.write("site.json", json.dumps(described))
        daemon = Daemon(site, "--journal", site.path("journal"))
        child = daemon.until(daemon.child)

        def memory():
            with open(f"/proc/{daemon.process.pid}/status") as file:
                return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))

        def events(word):
            return daemon.seen().count("emit " + word)

        daemon.until(lambda: events("gone") > 100)
        descriptors, before = daemon.descriptors(), memory()
        daemon.until(lambda: "finished" in daemon.seen(), 120)
        daemon.until(lambda: "custom.plugged on" in daemon.ask("status"))
        grown = memory() - before
        gone, back = events("gone"), events("back")
        # A disappearance that is over before the next step of the daemon has no effect on policies.
        expect(900 <= gone <= 1001 and abs(back - gone) <= 1,
               f"of 1,000 disappearances, {gone} reach the policy, and {back} appearances", daemon.seen()[-2000:])
        expect(daemon.child() == child, "and the process is the same")
        expect(daemon.descriptors() == descriptors, f"and the daemon has {descriptors} descriptors as before")
        expect(grown < 4096, f"and its memory has grown by {grown} KiB")
        expect(daemon.end() == 0, "and the daemon ends normally", daemon.seen()[-2000:])
        answer = subprocess.run([STINT, "replay", site.path("journal")], capture_output=True, text=True).stdout
        expect(re.search(r"decisions reproduced +\d+", answer) and "differ" not in answer.replace("0 differ", ""),
               "and the journal replays with equal decisions", answer)


# The source of a preloaded library. Its `syscall` reports an older version of Landlock than the kernel has,
# or no Landlock.
OLDER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

long syscall(long number, ...) {
  va_list list;
  long given[6];
  va_start(list, number);
  for (int place = 0; place < 6; place++) given[place] = va_arg(list, long);
  va_end(list);
  if (number == 444 && given[0] == 0 && given[2] == 1) {
    int version = atoi(getenv("OLDER_LANDLOCK"));
    if (version > 0) return version;
    errno = ENOSYS;
    return -1;
  }
  static long (*kernel)(long, ...);
  if (kernel == NULL) *(void **)&kernel = dlsym(RTLD_NEXT, "syscall");
  return kernel(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
"""


def older_landlock():
    """Returns the path of a library that hides newer Landlock versions. Returns None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return None
    folder = tempfile.mkdtemp(prefix="stint-older-")
    os.chmod(folder, 0o755)
    text, target = os.path.join(folder, "older.c"), os.path.join(folder, "older.so")
    with open(text, "w") as file:
        file.write(OLDER)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", text, "-o", target, "-ldl"], check=True)
    return target


def seen_of(folder):
    """Returns the contents, permissions, owners and times of a folder's files, to detect changes."""
    found = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        status = os.lstat(path)
        with open(path, "rb") as file:
            found.append((name, status.st_mode, status.st_uid, status.st_mtime_ns, status.st_ctime_ns, file.read()))
    return found


def contained():
    held = subprocess.run([STINT, "plugin", "list"], capture_output=True, text=True).stdout
    print(held.strip())
    if "mount-namespace" not in held.split("missing")[0] or "seccomp" not in held.split("missing")[0]:
        print("skipped: this system cannot contain a process: " + held.strip().splitlines()[-1])
        return
    users = [("root", {})] if os.geteuid() == 0 else []
    users.append(("an ordinary user", {"user": 65534, "group": 65534, "extra_groups": []} if users else {}))
    library = older_landlock()
    landlocks = [("the kernel's Landlock", None)]
    if library:
        landlocks += [("no Landlock", "0"), ("Landlock 2", "2")]
    for user, options in users:
        for landlock, version in landlocks:
            more = dict(options)
            if version:
                more["env"] = {**os.environ, "LD_PRELOAD": library, "OLDER_LANDLOCK": version}
            escaped_in_python(user, landlock, more)
            escaped_in_c(user, landlock, more)
    for means in ("landlock", "seccomp", "mount-namespace"):
        with Site(entry={"contain": {"require": [means]}}) as site:
            daemon = Daemon(site)
            daemon.until(daemon.child)
            expect(daemon.end() == 0, f"a site may require {means} if it is available")
    if library:
        with Site(entry={"contain": {"require": ["seccomp", "landlock"]}}) as site:
            daemon = Daemon(site, env={**os.environ, "LD_PRELOAD": library, "OLDER_LANDLOCK": "0"})
            daemon.until(lambda: "this system lacks landlock" in daemon.ask("status"))
            expect(daemon.end() == 0,
                   "and a plugin is not started without a required means, and status names this means")


def escaped_in_python(user, landlock, options):
    with Site("escapes.py") as site:
        os.mkdir(site.path("victims"))
        for name in ("secret", "journal", "program"):
            site.write("victims/" + name, name)
        for folder, _, names in os.walk(site.folder):
            for path in [folder] + [os.path.join(folder, name) for name in names]:
                os.chown(path, options.get("user", -1), options.get("group", -1))
        before = seen_of(site.path("victims"))
        daemon = Daemon(site, **options)
        limits = open(f"/proc/{daemon.process.pid}/limits").read()
        daemon.until(lambda: "could" in daemon.seen())
        line = re.search(r"could [^\n]*", daemon.seen()).group(0)
        expect("could do none of" in line, f"{user}, {landlock}: a Python plugin that tries to escape {line}")
        status = daemon.ask("status")
        named = re.search(r"refused system calls: ([^\n]*)", status).group(1)
        calls = ("chmod", "chown", "clone", "fcntl", "ioprio_set", "kill", "link", "memfd_create", "mount", "openat",
                 "prctl", "prlimit64", "ptrace", "sched_setaffinity", "sched_setscheduler", "setpriority", "setsid",
                 "setxattr", "shmget", "socket", "truncate", "unlink", "unshare", "utimensat")
        missing = [call for call in calls if not re.search(r"\b" + call + r"\b", named)]
        expect(not missing, f"and status names {named.count(',') + 1} refused calls", f"{missing} {status}")
        expect(seen_of(site.path("victims")) == before, "and no file of the daemon was changed")
        expect(open(f"/proc/{daemon.process.pid}/limits").read() == limits, "and no limit of the daemon was changed")
        expect(os.getpriority(os.PRIO_PROCESS, daemon.process.pid) == 0, "and its priority was not changed")
        child = daemon.child()
        expect(daemon.end(signal.SIGKILL) == -9, "the daemon is killed")
        end = time.monotonic() + 10
        while is_there(child) and time.monotonic() < end:
            time.sleep(0.01)
        expect(not is_there(child), "and the plugin ends with it")


def escaped_in_c(user, landlock, options):
    answer = subprocess.run([os.path.join(os.path.dirname(STINT), "stint-lab"), "escape"], capture_output=True, text=True, cwd="/", **options)
    last = answer.stdout.strip().splitlines()[-1:]
    through = [line for line in answer.stdout.splitlines() if "got through" in line]
    expect(answer.returncode == 0 and last and last[0].endswith(" 0 got through"),
           f"{user}, {landlock}: stint-lab escape: {last}", "\n".join(through) + answer.stderr)
    count = int(last[0].split()[0])
    expect(count >= 60, f"stint-lab makes {count} kinds of escape attempts")


def cellar(site):
    """Adds a second plugin to the folder of the site. Returns its entry for the site file."""
    os.mkdir(site.path("second"))
    with open(site.path("thermometer.py")) as file:
        site.write("second/cellar.py", file.read().replace('"ambient.temperature"', '"cellar.temperature"'))
    with open(site.path("manifest.json")) as file:
        site.write("second/manifest.json", file.read().replace('"ambient.temperature"', '"cellar.temperature"'))
    os.chmod(site.path("second/cellar.py"), 0o755)
    with open(site.path("plugin.json")) as file:
        described = json.load(file)
    described.update(program="cellar.py", files=sealed(site.path("second"), "cellar.py", "manifest.json"))
    site.write("second/plugin.json", json.dumps(described))
    return {"process": "second/plugin.json", "with": {"source": site.path("temperature")},
            "allow": [site.path("temperature"), site.path("warmer")]}


def hot():
    """Removes plugins from the site file and puts them back during the run."""
    with Site(rate="5 Hz") as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        first = described["plugins"][0]
        second = cellar(site)

        def sites(*plugins, **more):
            # Save as an editor does: write another file, then rename it.
            site.write("new.json", json.dumps({**described, **more, "plugins": list(plugins)}))
            os.rename(site.path("new.json"), site.path("site.json"))

        def process(device):
            found = re.search(device + r" serves, process (\d+)", daemon.ask("status"))
            return int(found.group(1)) if found else 0

        sites(first, second)
        daemon = Daemon(site)
        outside = daemon.until(lambda: process("ambient.temperature"))
        inside = daemon.until(lambda: process("cellar.temperature"))
        before = daemon.descriptors()
        client = daemon.attach("reader")
        client.sendall(b'{"request": {"id": 1, "kind": "samples", "device": "ambient.temperature"}}\n')
        statuses = (event for event in map(lambda line: json.loads(line).get("event", {}), client.makefile()) if "status" in event)
        expect(next(statuses)["status"] == "served", "a program gets the state of its request")
        sites(second)
        status = next(status for status in statuses if status["status"] != "served")
        expect(status["status"] == "unavailable" and "the plugin was removed from the site" in status["reason"],
               "the state of the request is “unavailable” with the reason when the plugin is removed from the site file", status)
        client.shutdown(socket.SHUT_RDWR)
        client.close()
        daemon.until(lambda: "ambient.temperature was removed from the site file" in daemon.ask("status"))
        daemon.until(lambda: not is_there(outside))
        expect(process("cellar.temperature") == inside, "a plugin removed from the site file ends; others continue",
               daemon.ask("status"))
        expect(daemon.descriptors() < before, f"and its descriptors are closed: {before}, then {daemon.descriptors()}")
        expect("not available" in daemon.ask("why", "ambient.temperature"), "and its device is not available",
               daemon.ask("why", "ambient.temperature"))
        sites(first, second)
        again = daemon.until(lambda: process("ambient.temperature"))
        daemon.until(lambda: daemon.descriptors() == before)
        expect(again != outside and process("cellar.temperature") == inside,
               "a plugin that was put back serves in another process, and the daemon has as many descriptors "
               "as before",
               daemon.ask("status"))
        daemon.until(lambda: "not available" not in daemon.ask("why", "ambient.temperature"))
        site.write("warmer", "31500\n")
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        daemon.until(lambda: process("ambient.temperature") not in (0, again))
        expect(process("cellar.temperature") == inside, "changed settings restart a process; others continue")
        # An invalid site file changes nothing.
        served = process("ambient.temperature")
        for text, sentence in (
                ("{", "is ignored;"),
                (json.dumps({**described, "plugins": [{**second, "sha256": "0" * 64}]}), "is ignored;")):
            said = daemon.seen().count(sentence)
            site.write("site.json", text)
            daemon.until(lambda: daemon.seen().count(sentence) > said)
            expect(process("ambient.temperature") == served and process("cellar.temperature") == inside,
                   "an invalid site file changes nothing", daemon.seen())
        with open(site.path("second/manifest.json")) as file:
            changed = file.read()
        os.rename(site.path("second"), site.path("third"))
        shutil.copytree(site.path("third"), site.path("second"))
        site.write("second/manifest.json", changed.replace('"fifo": 600', '"fifo": 599'))
        with open(site.path("second/plugin.json")) as file:
            other = json.load(file)
        other["files"]["manifest.json"] = digest(site.path("second/manifest.json"))
        site.write("second/plugin.json", json.dumps(other))
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        daemon.until(lambda: "the changed manifest of cellar.temperature takes effect after a restart" in daemon.seen())
        shutil.rmtree(site.path("second"))
        os.rename(site.path("third"), site.path("second"))
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        for number in range(20):
            sites(second)
            daemon.until(lambda: not process("ambient.temperature"))
            sites(first, second)
            daemon.until(lambda: process("ambient.temperature"))
        daemon.until(lambda: daemon.descriptors() == before)
        expect(process("cellar.temperature") != 0, "removing and adding a plugin twenty times leaves no descriptor open")
        expect(daemon.end() == 0 and "fault" not in daemon.seen(), "and the daemon ends normally, without a fault", daemon.seen())
    with Site() as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        described["plugins"].append(cellar(site))
        site.write("site.json", json.dumps(described))
        daemon.until(lambda: "the new device cellar.temperature takes effect after a restart" in daemon.seen())
        expect(daemon.child() == child, "a new device of the site file needs a restart of the daemon", daemon.seen())
        expect(daemon.end() == 0, "and the run ends normally", daemon.seen())


def in_c():
    """Returns a site with a C plugin that writes batches to a ring. Returns None without cc or make."""
    if not shutil.which("cc") or not shutil.which("make"):
        return None
    site = Site()
    folder = site.path("probe")
    for words in ([STINT, "plugin", "new", "probe", "--language", "c", "--into", folder],
                  ["make", "-s", "-C", folder], [STINT, "plugin", "seal", folder]):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    site.write("site.json", json.dumps({
        "stint_site": 1, "title": "box", "plugins": [{"process": "probe/plugin.json", "allow": ["/proc/loadavg"]}],
        "clients": [{"name": "logger", "demands": [{"target": "custom.probe", "with": {"rate": "10 Hz"}}]}]}))
    site.write("box.stint", POLICY.replace("ambient.temperature", "custom.probe").replace(
        "temp.temperature < 10 C", "temp.value < 0 items"))
    return site


def batches(daemon):
    found = re.search(r"logger, batches\s+(\d+)", daemon.seen())
    return int(found.group(1)) if found else 0


def kills(times):
    killed_in_runs(Site(rate="10 Hz"), times - times // 2, "a child in Python")
    site = in_c()
    if site:
        killed_in_runs(site, times // 2, "a child in C with a ring")
    else:
        print("skipped: cc or make is not installed, so no child with a ring was killed")


def killed_in_runs(site, times, who):
    """Kills the child five times in each run: more failures within five minutes would lead to quarantine."""
    waits, delivered, ring_seen = [], 0, False
    with site:
        for start in range(0, times, 5):
            daemon = Daemon(site, "--quiet")
            daemon.until(daemon.child, poll=0.05)
            # The last control connection may not be closed yet; `descriptors` does not count it.
            before, mapped = daemon.descriptors(), daemon.rings()
            ring_seen = ring_seen or mapped > 0
            count = min(5, times - start)
            for number in range(count):
                child = daemon.until(daemon.child, poll=0.05)
                # Kill the process during its work, at a different moment each time.
                time.sleep(((start + number) * 37 % 100) / 250)
                os.kill(child, signal.SIGKILL)
                began = time.monotonic()
                daemon.until(lambda: (daemon.child() or child) != child, poll=0.05)
                waits.append(time.monotonic() - began - 0.2 * 2 ** number)
                daemon.until(lambda: daemon.descriptors() <= before and daemon.rings() == mapped, 5)
            again = re.search(r"restarted (once|\d+ times)", daemon.ask("status"))
            counted = int(again.group(1).replace("once", "1").split()[0]) if again else 0
            if counted != count:
                expect(False, f"{count} kills cause {count} restarts", daemon.ask("status"))
            if daemon.end() != 0 or not batches(daemon):
                expect(False, "the daemon ends normally, and its client received samples", daemon.seen())
            delivered += batches(daemon)
    shared = [name for name in os.listdir("/dev/shm") if "stint" in name]
    waits.sort()
    expect(not shared and waits[-1] < 5 and (ring_seen or "ring" not in who),
           f"{who} was killed {times} times: it restarted each time, {waits[len(waits) // 2] * 1000:.0f} ms after "
           f"the restart delay in the median and {waits[-1] * 1000:.0f} ms at most; no descriptor and no shared "
           f"memory is left; meanwhile, the client received {delivered} batches", str(waits[-5:]))


def refused():
    zero = "0" * 64
    for sentence, options in (
            ("the SHA-256 of the manifest differs from", {"hashes": {"manifest.json": zero}}),
            ("seal the plugin with stint plugin seal DIR", {"descriptor": {"program_sha256": zero}}),
            ("is not a file in the plugin's folder", {"hashes": {"../more.py": zero}}),
            ("did you mean “landlock”?", {"entry": {"contain": {"require": ["landlok"]}}}),
            ("the site file contains another one", {"entry": {"sha256": zero}}),
            ("a SHA-256 has 64 digits", {"entry": {"sha256": "12"}}),
            ("did you mean “sha256”?", {"entry": {"sha265": zero}}),
            ("did you mean “source”?", {"entry": {"with": {"sourc": "x"}}}),
            ("requests “/dev/i2c-1”, which is not allowed",
             {"descriptor": {"needs": [{"path": "/dev/i2c-1", "access": "write"}]}, "entry": {"allow": []}}),
            ("“network” is allowed, but thermometer does not request it", {"entry": {"allow": ["network"]}}),
            ("there is no such file or folder", {"entry": {"process": "nowhere.json"}}),
            ("did you mean “network”?", {"descriptor": {"nework": True}}),
            ("version 2 of the format is not supported", {"descriptor": {"stint_plugin": 2}}),
            ("is not an absolute path", {"descriptor": {"needs": [{"path": "i2c", "access": "read"}]}})):
        with Site(**options) as site:
            run = Daemon(site)
            code = run.process.wait(20)
            expect(code in (1, 2) and sentence in run.seen(), f"refused: “{sentence}”", f"{code} {run.seen()}")
    with Site(hashes={"thermometer.py": zero}) as site:
        daemon = Daemon(site)
        daemon.until(lambda: "is quarantined until SIGHUP or a changed seal; hash:" in daemon.ask("status"))
        expect(daemon.end() == 0,
               "a program that differs from its descriptor is quarantined, and the daemon ends normally")
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        expect(answer.returncode == 1 and "its SHA-256 differs" in answer.stdout,
               "and plugin list reports the difference", answer.stdout + answer.stderr)
    with Site() as site:
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        print(answer.stdout)
        expect(answer.returncode == 0 and "a process of its own" in answer.stdout, "plugin list shows the plugin",
               answer.stdout + answer.stderr)


def library(source, *more):
    """Returns a site whose plugin is a library in C. Returns None without a C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return None
    folder = tempfile.mkdtemp(prefix="stint-library-")
    text = os.path.join(folder, "plugin.c")
    with open(text, "w") as file:
        file.write(source)
    target = os.path.join(folder, "plugin.so")
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O1", "-I",
                    os.path.join(REPOSITORY, "Sources", "CStintPlugin", "include"), text, "-o", target, "-lpthread",
                    *more], check=True)
    site = Site(descriptor={"program": target, "files": {
        target: digest(target), "manifest.json": digest(os.path.join(PLUGIN, "manifest.json"))}})
    with open(site.path("site.json")) as file:
        described = json.load(file)
    described["plugins"] = [{"library": "plugin.json", "with": {"source": site.path("temperature")}}]
    site.write("site.json", json.dumps(described))
    return site


def glitches():
    """Checks that values out of range are dropped and counted, and that the plugin continues to serve."""
    with Site("glitch.py") as site:
        daemon = Daemon(site)
        answer = daemon.until(lambda: re.search(r"\d+ values dropped", text := daemon.ask("status")) and text)
        time.sleep(2)
        answer = daemon.ask("status")
        expect("temperature cannot be 1000 C" in answer and "restarted" not in answer and "fault" not in answer,
               "a process with values out of range continues to serve, and status counts these values", answer)
        expect("values out of range" in answer, "and the sum of dropped data contains these values", answer)
        daemon.end()
        batches = int(re.search(r"logger, batches\s+(\d+)", daemon.seen()).group(1))
        expect(batches >= 3 and "dropped; the last: " in daemon.seen(),
               f"and the client receives {batches} batches of valid readings", daemon.seen())
    with Site() as site:
        with open(site.path("thermometer.py")) as file:
            source = file.read()
        print_much = '    def work(self):\n        os.write(2, (b"x" * 99 + b"\\n") * 1000)\n'
        site.write("thermometer.py", source.replace("    def work(self):\n", print_much, 1))
        with open(site.path("plugin.json")) as file:
            described = json.load(file)
        described["files"].update(sealed(site.folder, "thermometer.py"))
        site.write("plugin.json", json.dumps(described))
        daemon = Daemon(site)
        daemon.until(lambda: "ambient.temperature serves" in daemon.ask("status"))
        time.sleep(4)
        answer = daemon.ask("status")
        daemon.end()
        batches = int(re.search(r"logger, batches\s+(\d+)", daemon.seen()).group(1))
        expect("restarted" not in answer and batches >= 15,
               f"a process that prints 2 MB continues to serve: {batches} batches", answer)
    with open(os.path.join(PLUGIN, "thermometer.c")) as file:
        source = file.read()
    wrong = "(double)thousandths / 1000"
    assert wrong in source
    site = library(source.replace(wrong, "(double)thousandths"))
    if not site:
        return
    with site:
        daemon = Daemon(site)
        answer = daemon.until(lambda: re.search(r"\d+ values dropped", text := daemon.ask("status")) and text)
        expect("temperature cannot be 21500 C" in answer and "ambient.temperature serves" in answer,
               "a library with values out of range continues to serve, and status counts these values", answer)
        with open(site.path("plugin.json")) as file:
            files = json.load(file)["files"]
        expect(any("program SHA-256 " + files[name] in answer for name in files if name.endswith(".so")),
               "status shows the SHA-256 of the library", answer)
        daemon.end()


def rates():
    """Each client of a site gets the rate that it requests."""
    with Site() as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        described["clients"].append({"name": "idler", "demands": [
            {"target": "ambient.temperature", "with": {"rate": "1 Hz"}}]})
        site.write("site.json", json.dumps(described))
        daemon = Daemon(site)
        daemon.until(lambda: "serves" in daemon.ask("status"))
        time.sleep(5)
        daemon.end()
        fast, slow = (int(re.search(name + r", batches\s+(\d+)", daemon.seen()).group(1)) for name in ("logger", "idler"))
        expect(fast >= 15 and 3 <= slow <= 7,
               f"a client with 5 Hz gets {fast} batches, and one with 1 Hz gets {slow}", daemon.seen())


def held():
    """Held samples are delivered when the daemon ends, and counted as lost when their process is killed."""
    with Site() as site:
        site.write("box.stint", 'policy "box" version 1\nuse ambient.temperature as temp\n'
                                'rule calm always { batch temp until 1 h }\n')
        daemon = Daemon(site)
        daemon.until(daemon.child)
        time.sleep(4)
        daemon.end()
        samples = int(re.search(r"logger, samples\s+(\d+)", daemon.seen()).group(1))
        expect(17 <= samples <= 24, f"at the end of the daemon {samples} held samples are delivered", daemon.seen())
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        time.sleep(2)
        os.kill(child, signal.SIGKILL)
        answer = daemon.until(lambda: "held samples lost" in (text := daemon.ask("status")) and "serves" in text and text)
        expect(re.search(r"about ([7-9]|1\d) held samples lost", answer),
               "status counts the samples that a killed process held", answer)
        expect("held samples lost with their plugin" in answer, "and the sum of dropped data contains them", answer)
        daemon.end()
        expect("held samples are lost" in daemon.seen(), "and the daemon reports the loss at its end", daemon.seen())


def reseals():
    """A daemon starts the program that was sealed last, without a change of the site file."""
    with Site() as site:
        daemon = Daemon(site)
        first = daemon.until(lambda: re.search(r"serves, process (\d+)", daemon.ask("status"))).group(1)
        with open(site.path("thermometer.py")) as file:
            source = file.read()
        assert "/ 1000" in source
        site.write("thermometer.py", source.replace("/ 1000", "/ 1000 - 30"))
        subprocess.run([STINT, "plugin", "seal", site.folder], check=True, capture_output=True)
        daemon.until(lambda: "was started again and runs" in daemon.seen())
        second = re.search(r"serves, process (\d+)", daemon.ask("status")).group(1)
        daemon.until(lambda: "box/cold" in daemon.ask("why", "ambient.temperature"))
        expect(first != second, "sealing again starts the new program in a running daemon", daemon.seen())
        os.kill(int(second), signal.SIGKILL)
        answer = daemon.until(lambda: "restarted once" in (text := daemon.ask("status")) and "serves" in text and text)
        expect("quarantine" not in answer, "and the new program is not quarantined after a crash", answer)
        daemon.end()


def secrets():
    """A secret from the environment or a credential reaches the plugin, and nothing that the daemon writes."""
    secret = "correct-horse-battery"
    with open(os.path.join(PLUGIN, "plugin.json")) as file:
        described = json.load(file)
    settings = described["settings"] + [{"key": "token", "kind": "text", "meaning": "a token"}]
    for place in ({"environment": "STINT_TOKEN"}, {"credential": "token"}):
        with Site("blabs.py", descriptor={"settings": settings}) as site, tempfile.TemporaryDirectory() as held:
            with open(site.path("site.json")) as file:
                text = json.load(file)
            text["plugins"][0]["with"]["token"] = place
            site.write("site.json", json.dumps(text))
            with open(os.path.join(held, "token"), "w") as file:
                file.write(secret + "\n")
            surroundings = dict(os.environ, CREDENTIALS_DIRECTORY=held)
            surroundings["STINT_TOKEN"] = secret if "environment" in place else ""
            daemon = Daemon(site, "--journal", site.path("journal"), "--state", site.path("state"), env=surroundings)
            daemon.until(lambda: f"connecting with … of {len(secret)}" in daemon.seen())
            answers = daemon.ask("status") + daemon.ask("status", "--json") + daemon.ask("why", "ambient.temperature")
            answers += subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")], capture_output=True,
                                      text=True, env=surroundings).stdout
            daemon.end()
            paths = [os.path.join(folder, name) for folder, _, names in os.walk(site.folder) for name in names]
            shown = [path for path in paths if secret.encode() in open(path, "rb").read()]
            made = [path for path in paths if path.startswith((site.path("journal"), site.path("state")))]
            expect(len(made) >= 2 and not shown and secret not in answers,
                   f"a secret from {next(iter(place))} reaches the plugin only", f"{shown}{answers}")
    with Site("blabs.py", descriptor={"settings": settings}) as site:
        command = [STINT, "plugin", "check", site.folder, "--with", "source=" + site.path("temperature")]
        for variable in ("STINT_TOKEN", "STINT_GONE"):
            result = subprocess.run(command + ["--with", "token=" + json.dumps({"environment": variable})],
                                    capture_output=True, text=True, env=dict(os.environ, STINT_TOKEN=secret))
            answer = result.stdout + result.stderr
            if variable == "STINT_TOKEN":
                expect(secret not in answer and "is not set" not in answer and "delivers" in answer,
                       "plugin check takes a secret from the environment", answer)
            else:
                expect(result.returncode == 1 and "this environment variable is not set" in answer,
                       "plugin check names a missing secret", answer)
    with Site("blabs.py", descriptor={"settings": settings}, entry={"with": {"token": {"environment": "STINT_GONE"}}}) as site:
        daemon = Daemon(site)
        answer = daemon.until(lambda: "STINT_GONE" in (text := daemon.ask("status")) and text)
        expect("this environment variable is not set" in answer, "a missing secret is a failure in status", answer)
        daemon.end()


def libraries():
    with open(os.path.join(PLUGIN, "thermometer.c")) as file:
        source = file.read()
    site = library(source)
    if not site:
        print("skipped: no C compiler is installed, so no library was tested")
        return
    with site:
        daemon = Daemon(site)
        daemon.until(lambda: "plugin     ambient.temperature serves" in daemon.ask("status"))
        time.sleep(1)
        expect(daemon.end() == 0 and "fault" not in daemon.seen(),
               "a library in C serves, and the daemon ends normally", daemon.seen())
        batches = int(re.search(r"logger, batches\s+(\d+)", daemon.seen()).group(1))
        expect(batches >= 3, f"and delivered {batches} batches", daemon.seen())
    for name, change, fault in (
            ("of a newer version", ("STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, \"", "7, 0, \""),
             "version: uses protocol version 7.0, which is newer than 1.8"),
            ("of an older version", ("STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, \"", "0, 9, \""),
             "version: uses protocol version 0.9, which is older than 1.8"),
            ("that lies", ("(double)thousandths / 1000", "0.0 / 0.0"), "nan where a number is expected"),
            ("that does not answer", ("    apply(device, body);", "    (void)apply;"), "hang: did not answer within"),
            ("without the functions", ("strcmp(name, STINT_FRAMES) == 0", "strcmp(name, \"x\") == 0"),
             "start: is a plugin without the extension “stint.frames”"),
            ("of too small a size", ("  sizeof stint_plugin, STINT", "  4, STINT"), "declares a size of 4 bytes"),
            ("that makes no device", ("if (device == NULL) return NULL;", "free(device); return NULL;"),
             "start: cannot make its device"),
            ("that is not a plugin", ("stint_plugin_library stint_plugin = {\n  sizeof stint_plugin",
                                   "stint_plugin_library other = {\n  sizeof other"),
             "start: is not a plugin:")):
        assert change[0] in source, change[0]
        with library(source.replace(*change)) as site:
            daemon = Daemon(site)
            daemon.until(lambda: "is quarantined; " in daemon.ask("status"))
            expect(fault in daemon.ask("status"), f"a library {name}: “{fault}”", daemon.ask("status"))
            expect(daemon.end() == 0, "and the daemon ends normally", daemon.seen())
    with Site() as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        described["plugins"][0]["library"] = described["plugins"][0].pop("process")
        described["plugins"][0].pop("allow")
        site.write("site.json", json.dumps(described))
        daemon = Daemon(site)
        daemon.until(lambda: "is quarantined; start: cannot be loaded:" in daemon.ask("status"))
        expect(daemon.end() == 0,
               "a program that is not a library is quarantined, and the daemon ends normally")
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        expect("a library, loaded into the daemon" in answer.stdout, "plugin list marks a library", answer.stdout)


def offline():
    """The commands that read policies use the devices and the declared facts of a site."""
    with Site(rate="1 per min") as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        described["declares"] = [{"name": "app.urgent", "boolean": True, "meaning": "a client waits"}]
        site.write("site.json", json.dumps(described))
        site.write("urgent.stint", POLICY.replace("no ", "few ").replace("stop temp", "downgrade temp to 1 per min")
                   + '\nrule urgent "an urgent client turns the sensor on" while app.urgent { start temp }\n')
        site.write("facts", '{"at": 0, "facts": {"ambient.temperature.temperature": 5, "app.urgent": true}}\n')
        site.write("tested.stint", POLICY + """
test "cold" {
  at 0 s attach "logger" on temp
  expect temp is on at 30 s
  at 1 min set temp.temperature = 5 C
  expect cold at 2 min
  expect temp is off at 2 min
}
""")
        site.write("night.json", json.dumps({
            "stint_scenario": 1, "name": "night", "start": "2026-05-16T00:00:00Z", "duration": "24 h",
            "world": {"origin": [47, 8]}, "clients": [], "facts": [
                {"at": "0 s", "set": {"ambient.temperature.temperature": "21 C"}},
                {"at": "6 h", "set": {"ambient.temperature.temperature": "5 C"}},
                {"at": "12 h", "set": {"ambient.temperature.temperature": "21 C"}}],
            "faults": [{"device": "ambient.temperature", "at": "18 h", "for": "1 h", "kind": "loss"}]}))
        os.mkdir(site.path("more"))
        shutil.copy(site.path("manifest.json"), site.path("more"))

        def run(*words):
            answer = subprocess.run([STINT, *words], cwd=site.folder, capture_output=True, text=True)
            return answer.stdout + answer.stderr

        for words, expected in [
                (["check", "urgent.stint", "--site", "site.json"], "2 rules, 1 device"),
                (["diff", "box.stint", "urgent.stint", "--site", "site.json"], "where app.urgent"),
                (["eval", "urgent.stint", "--site", "site.json", "--facts", "facts"], '"rules":["cold","urgent"]'),
                (["compile", "urgent.stint", "--site", "site.json", "-o", "image"], "image"),
                (["disasm", "image", "--site", "site.json"], "compare ambient.temperature.temperature < 10.0"),
                (["test", "tested.stint", "--site", "site.json"], "1 passed"),
                # The device draws 2 mW while it is on: for 24 h in the first run. In the second run, it is
                # off during the fault (1 h) and while the rule stops it (5 h 58 min).
                (["sim", "box.stint", "--site", "site.json"], "ambient.temperature             172.8"),
                (["sim", "box.stint", "--site", "site.json", "--scenario", "night.json", "--journal", "night"],
                 "ambient.temperature             122.6"),
                (["replay", "night"], "decisions reproduced"),
                (["compare", "none", "box.stint", "--site", "site.json", "--scenario", "night.json"], "165.6"),
                (["check", "box.stint", "--manifests", "more"], "ambient.temperature  18005 wake-ups per h"),
                (["check", os.path.join(REPOSITORY, "policies", "hiking.stint"), "--manifests", "more"], "location.gnss"),
                (["check", "urgent.stint"], "no device is called “ambient.temperature”"),
                (["check", "urgent.stint", "--site", "gone.json"], "there is no such file")]:
            answer = run(*words)
            expect(expected in answer, "stint " + " ".join(words[:1] + words[-2:]), answer)


def late():
    """A journal replays without a difference when a device opened after the start of the daemon."""
    with Site() as site:
        with open(site.path("thermometer.py")) as file:
            source = file.read()
        site.write("thermometer.py", source.replace("\nimport ", "\nimport time\ntime.sleep(1.5)\nimport ", 1))
        with open(site.path("plugin.json")) as file:
            described = json.load(file)
        described["files"].update(sealed(site.folder, "thermometer.py"))
        site.write("plugin.json", json.dumps(described))
        # The second run begins with the saved state of the first one.
        for run in ("first", "second"):
            daemon = Daemon(site, "--journal", site.path("journal"), "--state", site.path("state"))
            answer = daemon.until(lambda: "device " in (text := daemon.ask("status")) and text)
            expect("ambient.temperature unavailable" in answer, f"the device is not open at the start of the {run} run",
                   answer)
            daemon.until(lambda: "ambient.temperature serves" in daemon.ask("status"))
            daemon.end()
            answer = subprocess.run([STINT, "replay", site.path("journal")], capture_output=True, text=True).stdout
            decisions = re.search(r"decisions reproduced +(\d+)", answer)
            expect(decisions and int(decisions.group(1)) >= 4, f"and the {run} journal replays with equal decisions",
                   answer)


if __name__ == "__main__":
    steps = sys.argv[3:] or ["offline", "signals", "idle", "broken", "readings", "plugs", "glitches", "rates", "held", "reseals", "secrets", "contained", "refused", "libraries", "hot", "late", "kills"]
    for step in steps:
        if step == "kills":
            kills(int(os.environ.get("STINT_KILLS", "40")))
        else:
            globals()[step]()
