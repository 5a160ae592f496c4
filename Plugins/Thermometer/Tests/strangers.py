#!/usr/bin/env python3
"""Plugins in processes of their own, as an operator runs them: `strangers.py PROGRAM REPOSITORY`.

STINT_KILLS says how often the child of a daemon at work is killed; 40 when it is left out. Prints a line for each
thing that holds, and ends with 1 at the first that does not.
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

STINT, REPOSITORY = sys.argv[1:3]
PLUGIN = os.path.join(REPOSITORY, "Plugins", "Thermometer")
POLICY = """policy "box" version 1

use ambient.temperature as temp

rule cold "seldom is enough" while temp.temperature < 10 C { stop temp }
"""


def expect(truth, sentence, more=""):
    print(("ok    " if truth else "WRONG ") + sentence, flush=True)
    if not truth:
        print(more)
        sys.exit(1)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Site:
    """A folder with a plugin, a site and a policy."""

    def __init__(self, program="thermometer.py", rate="5 Hz", demand=True, entry=None, descriptor=None):
        self.folder = tempfile.mkdtemp(prefix="stint-strangers-")
        for name in ("thermometer.py", "manifest.json", "Tests/broken.py", "Tests/escapes.py"):
            shutil.copy(os.path.join(PLUGIN, name), self.folder)
        target = os.path.join(self.folder, program)
        if not os.path.exists(target):
            shutil.copy(os.path.join(self.folder, "broken.py"), target)
        with open(os.path.join(PLUGIN, "plugin.json")) as file:
            described = json.load(file)
        described.update(
            program=program, program_sha256=digest(target), needs=[],
            manifest_sha256=digest(os.path.join(self.folder, "manifest.json")))
        described.update(descriptor or {})
        self.write("plugin.json", json.dumps(described))
        self.write("temperature", "21500\n")
        self.write("box.stint", POLICY)
        demands = [{"target": "ambient.temperature", "with": {"rate": rate}}] if demand else []
        plugin = {"process": "plugin.json", "with": {"source": self.path("temperature")}}
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

    def __init__(self, site, *more):
        self.socket = site.path("socket")
        self.output = open(site.path("output"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--site", site.path("site.json"), "--policies", site.path("box.stint"), "--control",
             self.socket, *more], stdout=self.output, stderr=self.output)
        # Also where a check ends this program.
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
        expect(False, "what was waited for comes", self.seen() + self.ask("status"))

    def ask(self, *words):
        if words == ("status",):
            # Often, and so without a process.
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

    def child(self):
        """The number of the plugin's process; 0 when none serves."""
        found = re.search(r"serves, process (\d+)", self.ask("status"))
        return int(found.group(1)) if found else 0

    def descriptors(self):
        """How many descriptors the daemon holds, without those of whoever asks it: an answer may still be closing."""
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
        """How many rings the daemon has mapped."""
        with open(f"/proc/{self.process.pid}/maps") as file:
            return file.read().count("stint-ring")

    def switches(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", file.read()).group(1))

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
                   f"{number.name} leaves no child behind, and every device off", daemon.seen())
            expect("every device is off" in daemon.seen() and "fault" not in daemon.seen(),
                   "and says so", daemon.seen())
    with Site() as site:
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        daemon.end(signal.SIGKILL)
        end = time.monotonic() + 10
        while is_there(child) and time.monotonic() < end:
            time.sleep(0.01)
        expect(not is_there(child), "a daemon that is killed takes the child with it")


def idle():
    with Site(demand=False) as site:
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        time.sleep(1)
        before = daemon.switches()
        time.sleep(5)
        switches = daemon.switches() - before
        expect(switches == 0, f"P12: with nothing demanded there are {switches} voluntary context switches in 5 s")
        with open(f"/proc/{daemon.process.pid}/status") as file:
            threads = re.search(r"Threads:\s+(\d+)", file.read()).group(1)
        expect(threads == "1" and is_there(child), f"the daemon has {threads} thread, and the child is there")
        daemon.end()


def broken():
    for how, fault in (
            ("crash", "crash: ended with status 1, its last words “RuntimeError: the bus is on fire”"),
            ("hang", "hang: did not answer within"), ("lie", "lie: published what cannot be"),
            ("flood", "flood: sent more than 1000 frames a second"),
            ("ring-ahead", "lie: moved its position 1099511365632 bytes beyond the ring's bounds"),
            ("ring-length", "lie: announced a frame of 4294967295 bytes, which it has not written"),
            ("ring-wake", "flood: woke the host more than 1000 times a second"),
            ("newer", "version: speaks version 2.0 of the protocol, a newer one than 1.1")):
        with Site(how + ".py") as site:
            daemon = Daemon(site)
            daemon.until(lambda: fault in daemon.seen())
            answer = daemon.until(lambda: "ambient.temperature" in (text := daemon.ask("status")) and text)
            expect("in force   box version 1" in answer, f"X07: {how}: “{fault}”, and the bus is up", answer)
            if how == "newer":
                expect("is quarantined; " + fault in answer, "and status says that it is quarantined", answer)
                why = daemon.ask("why", "ambient.temperature")
                expect("is quarantined; " + fault in why, "and why says so too", why)
            expect(daemon.end() == 0, "and it ends as it should", daemon.seen())


def contained():
    held = subprocess.run([STINT, "plugin", "list"], capture_output=True, text=True).stdout
    if "Landlock" not in held or "missing" in held:
        print("skipped: this system cannot contain a process: " + held.strip().splitlines()[-1])
        return
    with Site("escapes.py") as site:
        daemon = Daemon(site)
        daemon.until(lambda: "could" in daemon.seen())
        line = re.search(r"could [^\n]*", daemon.seen()).group(0)
        expect("could do none of" in line, f"a plugin that tries to escape {line}")
        daemon.end()


def cellar(site):
    """A second plugin of the site, beside the thermometer."""
    os.mkdir(site.path("second"))
    with open(site.path("thermometer.py")) as file:
        site.write("second/cellar.py", file.read().replace('"ambient.temperature"', '"cellar.temperature"'))
    with open(site.path("manifest.json")) as file:
        site.write("second/manifest.json", file.read().replace('"ambient.temperature"', '"cellar.temperature"'))
    os.chmod(site.path("second/cellar.py"), 0o755)
    with open(site.path("plugin.json")) as file:
        described = json.load(file)
    described.update(program="cellar.py", program_sha256=digest(site.path("second/cellar.py")),
                     manifest_sha256=digest(site.path("second/manifest.json")))
    site.write("second/plugin.json", json.dumps(described))
    return {"process": "second/plugin.json", "with": {"source": site.path("temperature")}}


def hot():
    """Plugins that are taken out of the site file and put back while the run goes on."""
    with Site(rate="5 Hz") as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        first = described["plugins"][0]
        second = cellar(site)

        def sites(*plugins, **more):
            # As an editor saves: whole, under another name first.
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
        sites(second)
        daemon.until(lambda: "ambient.temperature was taken out of the site file" in daemon.ask("status"))
        daemon.until(lambda: not is_there(outside))
        expect(process("cellar.temperature") == inside, "a plugin that is taken out of the site file ends, and others go on",
               daemon.ask("status"))
        expect(daemon.descriptors() < before, f"and gives its descriptors back: {before}, then {daemon.descriptors()}")
        expect("not available" in daemon.ask("why", "ambient.temperature"), "and its device is not available",
               daemon.ask("why", "ambient.temperature"))
        sites(first, second)
        again = daemon.until(lambda: process("ambient.temperature"))
        daemon.until(lambda: daemon.descriptors() == before)
        expect(again != outside and process("cellar.temperature") == inside,
               "put back it serves again, in another process, and with the descriptors of before", daemon.ask("status"))
        daemon.until(lambda: "not available" not in daemon.ask("why", "ambient.temperature"))
        site.write("warmer", "31500\n")
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        daemon.until(lambda: process("ambient.temperature") not in (0, again))
        expect(process("cellar.temperature") == inside, "other settings are another process, and the others go on")
        # What cannot be, changes nothing.
        served = process("ambient.temperature")
        for text, sentence in (
                ("{", "is left as it was"),
                (json.dumps({**described, "plugins": [{**second, "sha256": "0" * 64}]}), "is left as it was")):
            said = daemon.seen().count(sentence)
            site.write("site.json", text)
            daemon.until(lambda: daemon.seen().count(sentence) > said)
            expect(process("ambient.temperature") == served and process("cellar.temperature") == inside,
                   "a site file that cannot be changes nothing", daemon.seen())
        with open(site.path("second/manifest.json")) as file:
            changed = file.read()
        os.rename(site.path("second"), site.path("third"))
        shutil.copytree(site.path("third"), site.path("second"))
        site.write("second/manifest.json", changed.replace('"fifo": 600', '"fifo": 599'))
        with open(site.path("second/plugin.json")) as file:
            other = json.load(file)
        other["manifest_sha256"] = digest(site.path("second/manifest.json"))
        site.write("second/plugin.json", json.dumps(other))
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        daemon.until(lambda: "has another manifest than when the run began" in daemon.seen())
        shutil.rmtree(site.path("second"))
        os.rename(site.path("third"), site.path("second"))
        sites({**first, "with": {"source": site.path("warmer")}}, second)
        for number in range(20):
            sites(second)
            daemon.until(lambda: not process("ambient.temperature"))
            sites(first, second)
            daemon.until(lambda: process("ambient.temperature"))
        daemon.until(lambda: daemon.descriptors() == before)
        expect(process("cellar.temperature") != 0, "twenty times out and back leave no descriptor behind")
        expect(daemon.end() == 0 and "fault" not in daemon.seen(), "and it ends as it should, with no fault", daemon.seen())
    with Site() as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        daemon = Daemon(site)
        child = daemon.until(daemon.child)
        described["plugins"].append(cellar(site))
        site.write("site.json", json.dumps(described))
        daemon.until(lambda: "cellar.temperature was not there when the run began" in daemon.seen())
        expect(daemon.child() == child, "a device that was not there at the start waits for a new start", daemon.seen())
        expect(daemon.end() == 0, "and the run ends as it should", daemon.seen())


def in_c():
    """A site whose plugin is a program in C, which writes its batches to a ring; None where there is no compiler."""
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
        print("skipped: there is no C compiler here, so no child with a ring was killed")


def killed_in_runs(site, times, who):
    """Each run of the daemon sees five kills: more failures than that within five minutes are quarantine."""
    waits, delivered, ring_seen = [], 0, False
    with site:
        for start in range(0, times, 5):
            daemon = Daemon(site, "--quiet")
            daemon.until(daemon.child, poll=0.05)
            # Whoever asked last may still be there.
            before, mapped = daemon.descriptors(), daemon.rings()
            ring_seen = ring_seen or mapped > 0
            count = min(5, times - start)
            for number in range(count):
                child = daemon.until(daemon.child, poll=0.05)
                # Amidst its work, at another moment each time.
                time.sleep(((start + number) * 37 % 100) / 250)
                os.kill(child, signal.SIGKILL)
                began = time.monotonic()
                daemon.until(lambda: (daemon.child() or child) != child, poll=0.05)
                waits.append(time.monotonic() - began - 0.2 * 2 ** number)
                daemon.until(lambda: daemon.descriptors() <= before and daemon.rings() == mapped, 5)
            again = re.search(r"restarted (once|\d+ times)", daemon.ask("status"))
            counted = int(again.group(1).replace("once", "1").split()[0]) if again else 0
            if counted != count:
                expect(False, f"{count} kills are {count} restarts", daemon.ask("status"))
            if daemon.end() != 0 or not batches(daemon):
                expect(False, "the daemon ends as it should, and its client had samples", daemon.seen())
            delivered += batches(daemon)
    shared = [name for name in os.listdir("/dev/shm") if "stint" in name]
    waits.sort()
    expect(not shared and waits[-1] < 5 and (ring_seen or "ring" not in who),
           f"{who} was killed {times} times: it came again each time, {waits[len(waits) // 2] * 1000:.0f} ms behind its "
           f"back-off in the middle and {waits[-1] * 1000:.0f} ms at most; no descriptor and no shared memory is left; "
           f"{delivered} batches came in between", str(waits[-5:]))


def refused():
    zero = "0" * 64
    for sentence, options in (
            ("its SHA-256 is another", {"descriptor": {"manifest_sha256": zero}}),
            ("has another SHA-256 than the site file says", {"entry": {"sha256": zero}}),
            ("a SHA-256 has 64 digits", {"entry": {"sha256": "12"}}),
            ("did you mean “sha256”?", {"entry": {"sha265": zero}}),
            ("did you mean “source”?", {"entry": {"with": {"sourc": "x"}}}),
            ("asks for “/dev/i2c-1”, which is not allowed",
             {"descriptor": {"needs": [{"path": "/dev/i2c-1", "access": "write"}]}}),
            ("“network” is allowed, and thermometer does not ask for it", {"entry": {"allow": ["network"]}}),
            ("there is no such file or folder", {"entry": {"process": "nowhere.json"}}),
            ("did you mean “network”?", {"descriptor": {"nework": True}}),
            ("version 2 of the form is not known here", {"descriptor": {"stint_plugin": 2}}),
            ("is no whole path", {"descriptor": {"needs": [{"path": "i2c", "access": "read"}]}})):
        with Site(**options) as site:
            run = Daemon(site)
            code = run.process.wait(20)
            expect(code in (1, 2) and sentence in run.seen(), f"refused: “{sentence}”", f"{code} {run.seen()}")
    with Site(descriptor={"program_sha256": zero}) as site:
        daemon = Daemon(site)
        daemon.until(lambda: "is quarantined; hash:" in daemon.ask("status"))
        expect(daemon.end() == 0, "another program than the descriptor means is quarantined, and the bus is up")
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        expect(answer.returncode == 1 and "its SHA-256 is another" in answer.stdout,
               "and plugin list says so", answer.stdout + answer.stderr)
    with Site() as site:
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        print(answer.stdout)
        expect(answer.returncode == 0 and "a process of its own" in answer.stdout, "plugin list lists it",
               answer.stdout + answer.stderr)


def library(source, *more):
    """A site whose plugin is a library made of C; None where there is no compiler."""
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
    site = Site(descriptor={"program": target, "program_sha256": digest(target)})
    with open(site.path("site.json")) as file:
        described = json.load(file)
    described["plugins"] = [{"library": "plugin.json", "with": {"source": site.path("temperature")}}]
    site.write("site.json", json.dumps(described))
    return site


def libraries():
    with open(os.path.join(PLUGIN, "thermometer.c")) as file:
        source = file.read()
    site = library(source)
    if not site:
        print("skipped: there is no C compiler here, so no library was tried")
        return
    with site:
        daemon = Daemon(site)
        daemon.until(lambda: "plugin     ambient.temperature serves" in daemon.ask("status"))
        time.sleep(1)
        expect(daemon.end() == 0 and "fault" not in daemon.seen(), "a library in C serves, and ends", daemon.seen())
        batches = int(re.search(r"logger, batches\s+(\d+)", daemon.seen()).group(1))
        expect(batches >= 3, f"and handed {batches} batches over", daemon.seen())
    for name, change, fault in (
            ("of a newer version", ("STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, \"", "7, 0, \""),
             "version: speaks version 7.0 of the protocol, a newer one than 1.1"),
            ("of an older version", ("STINT_PROTOCOL_MAJOR, STINT_PROTOCOL_MINOR, \"", "0, 9, \""),
             "version: speaks version 0.9 of the protocol, an older one than 1.1"),
            ("that lies", ("(double)thousandths / 1000", "(double)thousandths"),
             "lie: published what cannot be: ambient.temperature.temperature cannot be 21500 C"),
            ("that does not answer", ("    apply(device, body);", "    (void)apply;"), "hang: did not answer within"),
            ("without the functions", ("strcmp(name, STINT_FRAMES) == 0", "strcmp(name, \"x\") == 0"),
             "start: is a plugin without the extension “stint.frames”"),
            ("that says it is short", ("  sizeof stint_plugin, STINT", "  4, STINT"), "says of itself that it has 4 bytes"),
            ("that makes nothing", ("if (device == NULL) return NULL;", "free(device); return NULL;"),
             "start: cannot make its device"),
            ("that is no plugin", ("stint_plugin_library stint_plugin = {\n  sizeof stint_plugin",
                                   "stint_plugin_library other = {\n  sizeof other"),
             "start: is no plugin:")):
        assert change[0] in source, change[0]
        with library(source.replace(*change)) as site:
            daemon = Daemon(site)
            daemon.until(lambda: "is quarantined; " in daemon.ask("status"))
            expect(fault in daemon.ask("status"), f"a library {name}: “{fault}”", daemon.ask("status"))
            expect(daemon.end() == 0, "and the bus was up", daemon.seen())
    with Site() as site:
        with open(site.path("site.json")) as file:
            described = json.load(file)
        described["plugins"][0]["library"] = described["plugins"][0].pop("process")
        site.write("site.json", json.dumps(described))
        daemon = Daemon(site)
        daemon.until(lambda: "is quarantined; start: cannot be loaded:" in daemon.ask("status"))
        expect(daemon.end() == 0, "a program that is no library is quarantined, and the bus is up")
        answer = subprocess.run([STINT, "plugin", "list", "--site", site.path("site.json")],
                                capture_output=True, text=True)
        expect("a library, loaded into the daemon" in answer.stdout, "plugin list says what a library is", answer.stdout)


if __name__ == "__main__":
    steps = sys.argv[3:] or ["signals", "idle", "broken", "contained", "refused", "libraries", "hot", "kills"]
    for step in steps:
        if step == "kills":
            kills(int(os.environ.get("STINT_KILLS", "40")))
        else:
            globals()[step]()
