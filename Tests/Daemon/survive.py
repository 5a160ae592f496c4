#!/usr/bin/env python3
"""Tests `stint run` with restarts, signals, clock steps and edits.

usage: survive.py STINT [GROUP...]

Groups: signals, restart, locks, clock, site, watching, unread, terminal. Without GROUP, all groups run. The exit code is 1
when a check fails. Each daemon runs in a separate temporary folder. No check needs a network or special permissions.
"""
import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

STINT = os.path.abspath(sys.argv[1])
FAILED = []

POLICY = """policy "survive" version 1
use location.gnss as gps required
schedule night = 22:00..06:00
rule quiet while time in night { batch gps until 5 min }
rule rest while motion.activity is still for 4 min { pause gps }
"""

SITE_POLICY = """policy "site" version 1
use motion.accelerometer as motion
schedule night = 22:00..06:00
rule quiet while time in night { stop motion }
rule long while app.state is background for 1 h { stop motion }
"""


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-900:]))
    if not holds:
        FAILED.append(name)


class Daemon:
    def __init__(self, folder, *options, environment=None, simulated=True):
        self.folder = folder
        self.output = open(os.path.join(folder, "output"), "w+")
        devices = ["--simulate", "day-hike", "--speed", "20"] if simulated else ["--site", "site.json"]
        self.control = os.path.join(folder, "socket")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "policies", *devices, "--control", self.control, *options],
            cwd=folder, stdout=self.output, stderr=subprocess.STDOUT, env=dict(os.environ, **(environment or {})))

    def said(self):
        with open(self.output.name) as file:
            return file.read()

    def hear(self, text, seconds=20):
        end = time.time() + seconds
        while time.time() < end:
            if text in self.said():
                return True
            if self.process.poll() is not None:
                return text in self.said()
            time.sleep(0.05)
        return False

    def ask(self, *words):
        done = subprocess.run([STINT, *words, "--control", self.control], capture_output=True, text=True, timeout=40)
        return done.stdout + done.stderr

    def send(self, number):
        self.process.send_signal(number)

    def end(self, seconds=20):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "no end"

    def stop(self):
        self.send(signal.SIGTERM)
        return self.end()


def folder(policy=POLICY):
    path = tempfile.mkdtemp(prefix="stint-survive-")
    os.mkdir(path + "/policies")
    write(path + "/policies/survive.stint", policy)
    return path


def write(path, text):
    with open(path + ".draft", "w") as file:
        file.write(text)
    os.rename(path + ".draft", path)


def edited(number):
    return POLICY.replace("version 1", f"version {number}").replace("5 min", f"{number} min")


def replay(path):
    done = subprocess.run([STINT, "replay", path], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def signals():
    """Signals end the run and switch every device off, or have no effect; SIGHUP reloads the policies."""
    ending = ["INT", "TERM", "QUIT", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "IO", "XCPU", "PWR", "STKFLT",
              "ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS"]
    numbers = [(name, getattr(signal, "SIG" + name)) for name in ending if hasattr(signal, "SIG" + name)]
    numbers += [(f"{number}", number) for number in (34, 64)]
    for name, number in numbers:
        at = folder()
        daemon = Daemon(at, "--journal", "journal")
        started = daemon.hear("Ctrl-C ends")
        daemon.send(number)
        code = daemon.end()
        said = daemon.said()
        whole = replay(at + "/journal")
        check(f"SIG{name} ends the run and switches every device off",
              started and code == 0 and "every device is off" in said and "interrupted" not in whole[1],
              (code, said, whole))
    at = folder()
    daemon = Daemon(at)
    daemon.hear("Ctrl-C ends")
    for name in ["PIPE", "XFSZ", "TTIN", "TTOU", "TSTP", "CHLD", "CONT", "URG", "WINCH"]:
        daemon.send(getattr(signal, "SIG" + name))
        time.sleep(0.2)
        check(f"SIG{name} has no effect", "in force" in daemon.ask("status") and daemon.process.poll() is None,
              daemon.said())
    # SIGHUP makes the daemon read the policies again, even without an edit.
    daemon.send(signal.SIGHUP)
    check("SIGHUP makes the daemon read the policies again",
          daemon.hear("SIGHUP") and daemon.process.poll() is None, daemon.said())
    check("the run ends cleanly after all these signals", daemon.stop() == 0, daemon.said())


def restart():
    """The same command starts again after a clean end and after a kill. The journal contains every start."""
    at = folder()
    for name, number in [("clean end", signal.SIGTERM), ("kill", signal.SIGKILL), ("second clean end", signal.SIGTERM)]:
        daemon = Daemon(at, "--journal", "journal", "--state", "state", "--journal-limit", "16MB")
        check(f"the same command starts before the {name}", daemon.hear("Ctrl-C ends"), daemon.said())
        time.sleep(1)
        if number == signal.SIGKILL:
            write(at + "/state.new-99999", "left by a process that was killed")
        daemon.send(number)
        daemon.end()
    check("temporary files of killed processes are removed",
          not [n for n in os.listdir(at) if n.startswith("state.new-")],
          os.listdir(at))
    code, said = replay(at + "/journal")
    check("every start is replayed, the killed one to its last complete record",
          code == 0 and said.count("all compared decisions were reproduced") == 3, said)
    starts = sorted(n for n in os.listdir(at + "/journal") if n.isdigit())
    check("a journal is a folder with one file for each start", len(starts) == 3, starts)
    damage(at, starts[-1])
    daemon = Daemon(at, "--journal", "journal")
    daemon.hear("Ctrl-C ends")
    present = sorted(n for n in os.listdir(at + "/journal") if n.isdigit())[-1]
    os.unlink(f"{at}/journal/{present}")
    check("a deleted journal is detected, and continues in a new file",
          daemon.hear("was removed or renamed") and os.path.exists(f"{at}/journal/{present}"), daemon.said())
    check("the run with the deleted journal ends cleanly", daemon.stop() == 0, daemon.said())
    code, said = replay(f"{at}/journal/{present}")
    check("the new file is a valid journal that can be replayed", code in (0, 1) and "records" in said, said)


def damage(at, start):
    path = f"{at}/journal/{start}"
    with open(path, "r+b") as file:
        # A short journal consists mostly of the world record, which every replay needs. So the test damages
        # bytes near the end.
        place = os.path.getsize(path) - 400
        file.seek(place)
        byte = file.read(1)
        file.seek(place)
        file.write(bytes([byte[0] ^ 0x55]))
    code, said = replay(path)
    check("a damaged journal is replayed up to the damage",
          code == 1 and "damaged" in said and "decisions reproduced" in said, said)
    why = subprocess.run([STINT, "why", "location.gnss", "--journal", path], capture_output=True, text=True)
    check("`why` uses the records before the damage", why.returncode == 0 and "damaged" in why.stderr,
          why.stdout + why.stderr)
    late = subprocess.run([STINT, "why", "location.gnss", "--journal", at + "/journal", "--at", "03:00"],
                          capture_output=True, text=True)
    check("`why` for a time outside of the journal fails and names the times of the journal",
          late.returncode != 0 and "outside the period of the journal" in late.stderr, late.stdout + late.stderr)


def locks():
    """A second daemon with the state, journal or socket of the first daemon reports the first daemon and ends."""
    at = folder()
    os.mkdir(at + "/b")
    first = Daemon(at, "--journal", "journal", "--state", "state")
    first.hear("Ctrl-C ends")
    for option, value in [("--state", "state"), ("--journal", "journal"), ("--control", "socket")]:
        words = [STINT, "run", "--policies", "policies", "--simulate", "day-hike", option, value]
        done = subprocess.run(words, cwd=at, capture_output=True, text=True, timeout=30)
        check(f"a second daemon with the same {option} ends and names the first daemon",
              done.returncode in (1, 2) and str(first.process.pid) in done.stderr, (done.returncode, done.stderr))
    check("the first daemon continues", "in force" in first.ask("status"), first.said())
    first.send(signal.SIGKILL)
    first.end()
    again = Daemon(at, "--journal", "journal", "--state", "state")
    check("locks and a socket that a killed daemon left do not prevent the next start",
          again.hear("Ctrl-C ends") and "in force" in again.ask("status"), again.said())
    check("the next daemon ends cleanly", again.stop() == 0, again.said())
    check("a clean end leaves no lock", not [n for n in os.listdir(at) if n.endswith(".lock")], os.listdir(at))


def clock():
    """A step of the wall clock moves only schedules, and is replayed from the journal."""
    at = folder()
    write(at + "/offset", "0\n")
    daemon = Daemon(at, "--journal", "journal", "--clock-offset", "offset")
    daemon.hear("Ctrl-C ends")
    before = daemon.ask("why", "location.gnss")
    write(at + "/offset", str(14 * 3600))
    check("a step forward is reported", daemon.hear("set forward by 14 h"), daemon.said())
    night = daemon.ask("status") + daemon.ask("why-not", "survive/quiet")
    check("`status` reports the step", "set forward by 14 h" in night, night)
    check("the schedule follows the step",
          "quiet" in daemon.ask("why", "location.gnss"), daemon.ask("why", "location.gnss") + before)
    write(at + "/offset", "-3600")
    check("a step back is reported", daemon.hear("set back by 15 h"), daemon.said())
    write(at + "/offset", "nonsense")
    check("an invalid offset is reported and has no effect",
          daemon.hear("expected a number of seconds"), daemon.said())
    check("the run ends cleanly", daemon.stop() == 0, daemon.said())
    code, said = replay(at + "/journal")
    check("the journal with the clock steps replays to the same decisions", code == 0, said)


def fake_sensors(at):
    device = at + "/sys/bus/iio/devices/iio:device0"
    os.makedirs(device)
    values = {"name": "bmc150_accel", "in_accel_x_raw": "5", "in_accel_y_raw": "6", "in_accel_z_raw": "1000",
              "in_accel_scale": "0.0098", "in_accel_sampling_frequency": "10",
              "sampling_frequency_available": "10 50", "in_accel_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"}
    for name, value in values.items():
        write(f"{device}/{name}", value + "\n")
    os.makedirs(at + "/dev")
    site = {"stint_site": 1, "time_zone": "UTC",
            "plugins": [{"plugin": "iio", "with": {"sensor": "accelerometer", "sys": at + "/sys", "dev": at + "/dev"}}],
            "clients": [{"name": "steps", "demands": [
                {"target": "motion.accelerometer", "with": {"rate": "10 Hz", "background": True}}]}],
            "declares": [{"name": "app.state", "options": ["foreground", "background"]}]}
    write(at + "/site.json", json.dumps(site))


def samples(daemon):
    found = re.search(r"steps, samples +([0-9,]+)", daemon.said())
    return int(found.group(1).replace(",", "")) if found else 0


def site():
    """Samples of a site's devices continue when the clock is years behind or ahead of the saved state."""
    at = folder(SITE_POLICY.replace('22:00..06:00', '00:00..00:01'))
    fake_sensors(at)
    offsets = [("first start", 0), ("a clock 6 years behind the state", -200_000_000), ("a clock 3 years ahead", 100_000_000),
               ("the right clock again", 0)]
    for name, offset in offsets:
        write(at + "/offset", str(offset))
        daemon = Daemon(at, "--journal", "journal", "--state", "state", "--clock-offset", "offset", simulated=False)
        started = daemon.hear("Ctrl-C ends")
        time.sleep(4)
        status = daemon.ask("status")
        if not offset and name == "first start":
            content = json.load(open(at + "/site.json"))
            content["clients"][0]["name"] = "renamed"
            write(at + "/site.json", json.dumps(content))
            check("a change of the site's clients is reported as effective after a restart",
                  daemon.hear("the new value of “clients” takes effect after a restart"), daemon.said())
            content["clients"][0]["name"] = "steps"
            write(at + "/site.json", json.dumps(content))
        code = daemon.stop()
        check(f"samples arrive: {name}", started and code == 0 and samples(daemon) >= 20,
              (code, samples(daemon), status, daemon.said()))
        if offset:
            check(f"{name}: the log reports the clock change",
                  "host's clock was set" in daemon.said(), daemon.said())
    code, said = replay(at + "/journal")
    check("all starts replay to the same decisions",
          code == 0 and said.count("all compared decisions were reproduced") == 4, said)


def watching():
    """Edits come into force behind links, and after links are swapped, permissions restored or folders recreated."""
    at = folder()
    os.rename(at + "/policies", at + "/release-1")
    os.symlink("release-1", at + "/policies")
    daemon = Daemon(at)
    daemon.hear("Ctrl-C ends")
    write(at + "/release-1/survive.stint", edited(2))
    check("an edit in a folder behind a link comes into force",
          daemon.hear("reloaded survive version 2"), daemon.said())
    os.mkdir(at + "/release-2")
    write(at + "/release-2/survive.stint", edited(3))
    os.symlink("release-2", at + "/next")
    os.rename(at + "/next", at + "/policies")
    check("the swap of a link to a folder comes into force",
          daemon.hear("reloaded survive version 3"), daemon.said())
    write(at + "/release-2/survive.stint", edited(4))
    check("an edit behind the swapped link comes into force",
          daemon.hear("reloaded survive version 4"), daemon.said())
    config_map(at, daemon)
    os.chmod(at + "/release-2/survive.stint", 0)
    os.chmod(at + "/release-2", 0)
    time.sleep(0.5)
    os.chmod(at + "/release-2", 0o755)
    os.chmod(at + "/release-2/survive.stint", 0o644)
    write(at + "/release-2/survive.stint", edited(7))
    check("an edit after permissions were removed and restored comes into force",
          daemon.hear("reloaded survive version 7"), daemon.said())
    os.rename(at + "/release-2", at + "/away")
    time.sleep(0.5)
    os.mkdir(at + "/release-2")
    write(at + "/release-2/survive.stint", edited(8))
    check("a policy in a folder that was removed and recreated comes into force",
          daemon.hear("reloaded survive version 8"), daemon.said())
    check("the run ends cleanly", daemon.stop() == 0, daemon.said())


def config_map(at, daemon):
    release = at + "/release-2"
    os.mkdir(release + "/..1")
    write(release + "/..1/survive.stint", edited(5))
    os.symlink("..1", release + "/..data")
    os.symlink("..data/survive.stint", release + "/link")
    os.rename(release + "/link", release + "/survive.stint")
    check("the policy behind a link that replaced its file comes into force",
          daemon.hear("reloaded survive version 5"), daemon.said())
    os.mkdir(release + "/..2")
    write(release + "/..2/survive.stint", edited(6))
    os.symlink("..2", release + "/..data_tmp")
    os.rename(release + "/..data_tmp", release + "/..data")
    check("the swap of a ConfigMap by its ..data link comes into force",
          daemon.hear("reloaded survive version 6"), daemon.said())
    os.unlink(release + "/survive.stint")
    write(release + "/survive.stint", edited(6))


def unread():
    """A log that is not read blocks neither answers nor the end of the run."""
    at = folder()
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [STINT, "run", "--policies", "policies", "--simulate", "day-hike", "--speed", "3600", "--control", "control"],
        cwd=at, stdout=writing, stderr=writing)
    os.close(writing)
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 4096)

    def ask(*words):
        begin = time.monotonic()
        done = subprocess.run(
            [STINT, *words, "--control", at + "/control"], capture_output=True, text=True, timeout=40)
        return done, time.monotonic() - begin

    for _ in range(100):
        if os.path.exists(at + "/control"):
            break
        time.sleep(0.05)
    number = 1
    slowest = 0.0
    for number in range(2, 62):
        write(at + "/push.stint", edited(number))
        done, seconds = ask("push", at + "/push.stint")
        slowest = max(slowest, seconds)
        if done.returncode != 0:
            break
    check("60 pushes are answered while 4 KiB of log are unread", number == 61 and done.returncode == 0,
          done.stdout + done.stderr)
    done, seconds = ask("status")
    check("the status is answered as well", "survive version 61" in done.stdout and seconds < 5, done.stdout)
    check("the status counts the dropped lines",
          re.search(r"log +\d+ lines? dropped", done.stdout), done.stdout)
    said = b""
    os.set_blocking(reading, False)
    for number in range(62, 65):
        try:
            said += os.read(reading, 65536)
        except BlockingIOError:
            pass
        write(at + "/push.stint", edited(number))
        ask("push", at + "/push.stint")
    try:
        said += os.read(reading, 65536)
    except BlockingIOError:
        pass
    check("the log states how many lines were dropped", b"lines were dropped because" in said, said[-600:])
    process.send_signal(signal.SIGTERM)
    try:
        code = process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        code = "no end"
    os.close(reading)
    check("the run ends", code != "no end", code)


def terminal():
    """A terminal whose output is not read delays neither answers nor the end, and its mode stays unchanged."""
    for streams in (["stdout"], ["stdout", "stderr"]):
        at = tempfile.mkdtemp()
        write(at + "/busy.stint", 'policy "busy" version 1\n\nuse location.gnss as g\n\nrule often every 10 s {\n  flush g\n}\n')
        leader, follower = pty.openpty()
        process = subprocess.Popen(
            [STINT, "run", "--policies", at + "/busy.stint", "--simulate", "quiet", "--speed", "10000", "--control", at + "/control"],
            stdin=subprocess.DEVNULL, stdout=follower, stderr=follower if "stderr" in streams else subprocess.DEVNULL)
        name = " and ".join(streams)
        until = time.monotonic() + 6
        slowest = 0.0
        while time.monotonic() < until:
            begin = time.monotonic()
            done = subprocess.run([STINT, "status", "--control", at + "/control"], capture_output=True, text=True, timeout=35)
            if done.returncode == 0:
                slowest = max(slowest, time.monotonic() - begin)
            time.sleep(0.2)
        check(f"status is answered within 2 s while a terminal is unread ({name})",
              done.returncode == 0 and slowest < 2, [done.returncode, slowest, done.stderr])
        check(f"status counts the dropped lines ({name})", re.search(r"log +\d+ lines? dropped", done.stdout), done.stdout[:400])
        check(f"the terminal still blocks for other programs ({name})", os.get_blocking(follower))
        process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        check(f"SIGTERM ends the run within 3 s ({name})", time.monotonic() - begin < 3, time.monotonic() - begin)
        os.close(leader)
        os.close(follower)


    at = tempfile.mkdtemp()
    write(at + "/quiet.stint", 'policy "quiet" version 1\n\nuse location.gnss as g\n\nrule often every 10 s {\n  flush g\n}\n')
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [STINT, "run", "--policies", at + "/quiet.stint", "--simulate", "quiet", "--control", at + "/control"],
        stdin=subprocess.DEVNULL, stdout=writing, stderr=writing)
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)
    process.send_signal(signal.SIGTERM)
    check("one SIGTERM ends a run whose output is no longer read", process.wait(20) >= 0,
          process.returncode)


GROUPS = {"signals": signals, "restart": restart, "locks": locks, "clock": clock, "site": site, "watching": watching,
          "unread": unread, "terminal": terminal}

if __name__ == "__main__":
    began = time.time()
    for group in sys.argv[2:] or GROUPS:
        print(f"-- {group}: {GROUPS[group].__doc__}")
        GROUPS[group]()
    print(f"{len(FAILED)} checks failed in {time.time() - began:.0f} s")
    sys.exit(1 if FAILED else 0)
