#!/usr/bin/env python3
"""Tests that `stint run` answers its clients without delay while accesses to its files are slow or do not return.

usage: files.py STINT [GROUP...]

Groups: loop, slow, starting, pipe, odd, pushes, large, opening, unwatched. Without GROUP, all groups run, for about
four minutes. The exit code is 1 when a check fails. The groups loop, slow and starting need Linux on x86-64. No check
needs a network or special permissions.
"""
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

import kernelcalls

STINT = os.path.abspath(sys.argv[1])
FAILED = []

PROGRAM = '''#!/usr/bin/env python3
import os, select, struct, time

time.sleep(@DELAY@)
channel, sequence, held, offset = 3, 0, b"", 0


def now():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) + offset


def text(value):
    return struct.pack("<H", len(value)) + value.encode()


def say(kind, body):
    global sequence
    os.write(channel, struct.pack("<IHHQ", 16 + len(body), kind, 0, sequence) + body)
    sequence += 1


def answer(kind, body):
    global offset
    if kind == 0:
        _, minor, _, time_there, steady = struct.unpack("<HHIqq", body)
        offset = time_there - steady
        say(1, struct.pack("<HH", 1, 2))
        names = struct.pack("<H", 2) + text("idle") + text("sending")
        say(3, text("@DEVICE@") + names + struct.pack("<HHH", 0, 0, 0))
    elif kind == 2:
        say(5, struct.pack("<q", now()))
    elif kind == 4:
        say(7, struct.pack("<qIIq", now(), struct.unpack_from("<I", body)[0], 0, 0))
    elif kind == 8:
        say(13, struct.pack("<q", now()))
        raise SystemExit


while True:
    data = os.read(channel, 65536)
    if not data:
        raise SystemExit
    held += data
    while len(held) >= 16 and len(held) >= struct.unpack_from("<I", held)[0]:
        size, kind = struct.unpack_from("<IH", held)
        frame, held = held[16:size], held[size:]
        answer(kind, frame)
'''

POLICY = """policy "files" version %d
rule low while battery.level < 1 %% { defer radio.r0 until battery.level > 5 %% deadline 1 h }
"""


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-1500:]), flush=True)
    if not holds:
        FAILED.append(name)


def wait(condition, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def write(path, text):
    """Replaces a file at once, as editors do."""
    with open(path + "~", "w") as file:
        file.write(text)
    os.rename(path + "~", path)


def plugin(folder, number, delay=0.0, extra=()):
    """Makes a plugin for the device radio.rNUMBER. Its plugin.json contains the hashes of its files (a seal)."""
    path = os.path.join(folder, "r%d" % number)
    os.mkdir(path)
    device = "radio.r%d" % number
    manifest = {
        "stint_manifest": 1, "device": device, "kind": "radio", "title": "modem %d" % number,
        "states": [{"name": "idle", "power": "1 mW", "on": False}, {"name": "sending", "power": "100 mW", "on": True}],
        "transitions": [["idle", "sending"], ["sending", "idle"]], "initial": "idle", "safe": "idle",
        "verbs": ["defer", "flush"], "figures": {"link_rate": "20 kB/s"}, "provides": ["transfers"],
    }
    write(path + "/manifest.json", json.dumps(manifest))
    write(path + "/program.py", PROGRAM.replace("@DEVICE@", device).replace("@DELAY@", str(delay)))
    names = ["manifest.json", "program.py"]
    for name, size in extra:
        with open(path + "/" + name, "wb") as file:
            for _ in range(size >> 20):
                file.write(os.urandom(1 << 20))
        names.append(name)
    descriptor = {"stint_plugin": 1, "name": "r%d" % number, "meaning": "a modem", "program": "program.py",
                  "manifest": "manifest.json", "settings": [], "needs": [],
                  "files": {name: hashlib.sha256(open(path + "/" + name, "rb").read()).hexdigest() for name in names}}
    write(path + "/plugin.json", json.dumps(descriptor))


def site_of(count):
    return json.dumps({"stint_site": 1, "title": "files",
                       "plugins": [{"process": "r%d/plugin.json" % number} for number in range(count)]})


def folder_of(count=1, delay=0.0, extra=()):
    folder = tempfile.mkdtemp(prefix="stint-files-")
    for number in range(count):
        plugin(folder, number, delay, extra)
    write(folder + "/site.json", site_of(count))
    os.mkdir(folder + "/policies")
    write(folder + "/policies/files.stint", POLICY % 1)
    write(folder + "/offset", "0")
    return folder


WORDS = ["run", "--site", "site.json", "--policies", "policies", "--control", "socket", "--state", "state",
         "--journal", "journal", "--journal-limit", "1MiB"]


def exchange(folder, message, seconds=30):
    """Sends one message and returns the text of the answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(seconds)
        try:
            connection.connect(folder + "/socket")
            connection.sendall((json.dumps(message) + "\n").encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
            return answer.decode()
        except OSError as problem:
            return "no answer: %s" % problem


def ask(folder, question="status", seconds=30, **more):
    """Returns the text of the answer and the time that it took."""
    began = time.monotonic()
    answer = exchange(folder, dict(ask=question, **more), seconds)
    try:
        return json.loads(answer)["text"], time.monotonic() - began
    except ValueError:
        return answer, time.monotonic() - began


def is_serving(folder, number=0):
    return "radio.r%d serves" % number in ask(folder)[0]


def process(folder, number=0):
    found = re.search(r"radio\.r%d .*process (\d+)" % number, ask(folder)[0])
    return int(found.group(1)) if found else None


def start(folder, *more):
    """Starts a daemon whose file accesses are not watched."""
    return subprocess.Popen([STINT, *WORDS, *more], cwd=folder, stdout=open(folder + "/output", "w"), stderr=subprocess.STDOUT)


def stop(daemon, seconds=10):
    """Returns the time from SIGTERM to the end; None when the daemon had to be killed."""
    began = time.monotonic()
    daemon.send_signal(signal.SIGTERM)
    try:
        daemon.wait(seconds)
        return time.monotonic() - began
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
        return None


def push(folder, version):
    """Starts a `stint push` of this version."""
    path = folder + "/files.stint"
    write(path, POLICY % version)
    return subprocess.Popen([STINT, "push", path, "--control", folder + "/socket"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def said(folder):
    with open(folder + "/output") as file:
        return file.read()


def watched(folder, *more):
    program = kernelcalls.WatchedProgram([STINT, *WORDS, "--clock-offset", "offset", *more], folder, folder + "/output")
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    return program


def restart(folder):
    """Kills the process of the first plugin, which is then started again."""
    former = process(folder)
    os.kill(former, signal.SIGKILL)
    return wait(lambda: process(folder) not in (None, former) and is_serving(folder))


def loop():
    """The loop's thread does not name, open or read a file."""
    if not kernelcalls.IS_SUPPORTED:
        return print("skipped: not on x86-64")
    folder = folder_of(2)
    program = watched(folder)
    program.watch()
    trials = {
        "status": lambda: ask(folder),
        "a restart of a plugin": lambda: restart(folder),
        "an edit of the policies": lambda: write(folder + "/policies/files.stint", POLICY % 2)
        or wait(lambda: "files version 2" in ask(folder)[0]),
        "a push": lambda: ask(folder, "push", file="files.stint", text=POLICY % 3),
        "a plugin that is removed": lambda: write(folder + "/site.json", site_of(1))
        or wait(lambda: "radio.r1 was removed" in said(folder)),
        "a plugin that is put back": lambda: write(folder + "/site.json", site_of(2))
        or wait(lambda: "radio.r1 was added again" in said(folder)),
        "SIGHUP": lambda: program.send(signal.SIGHUP) or time.sleep(0.5),
        "a clock step": lambda: write(folder + "/offset", "3600") or wait(lambda: "clock" in ask(folder)[0]),
        "a journal that is removed": lambda: shutil.rmtree(folder + "/journal")
        or wait(lambda: "it continues in a new file" in said(folder)),
        "a full journal file": lambda: [ask(folder, "push", file="files.stint", text=POLICY % (4 + turn) + "# long\n" * 9000)
                                        for turn in range(6)],
        "the regular check of the journal": lambda: time.sleep(10.5) or restart(folder),
    }
    for name, act in trials.items():
        program.accesses.clear()
        act()
        time.sleep(0.3)
        check("no file access on the loop: " + name, not program.accesses, "\n        ".join(sorted(set(program.accesses))))
    check("the removed journal continues", "it continues in a new file" in said(folder), said(folder))
    check("the full journal file was archived", any(name.count(".") for name in os.listdir(folder + "/journal")),
          os.listdir(folder + "/journal"))
    program.watch(False)
    program.send(signal.SIGTERM)
    check("the daemon ends with status 0", program.end(10) == 0, said(folder))


def slow():
    """File accesses that take 6 s do not delay the answers."""
    if not kernelcalls.IS_SUPPORTED:
        return print("skipped: not on x86-64")
    folder = folder_of()
    program = watched(folder)
    pushes = []
    kill = lambda: os.kill(process(folder), signal.SIGKILL)
    # The end of the daemon waits for writes that have begun, so no write may be slow in the last trials.
    trials = {
        "the records of the journal": ("/journal/", kill),
        "the log": ("/output", kill),
        "the program of a plugin, at its restart": ("program.py", kill),
        "the manifest of a plugin, at its restart": ("manifest.json", kill),
        "the descriptor of a plugin, touched": ("plugin.json", lambda: os.utime(folder + "/r0/plugin.json")),
        "the policies, edited": ("files.stint", lambda: write(folder + "/policies/files.stint", POLICY % 12)),
        "the site file, edited": ("site.json", lambda: write(folder + "/site.json", site_of(1) + "\n")),
        "the offset of the clock, edited": ("offset", lambda: write(folder + "/offset", "60")),
        "the journal, removed": ("/journal", lambda: shutil.rmtree(folder + "/journal")),
        "the state, at a push": ("state", lambda: pushes.append(push(folder, 13))),
        "the time zone, at SIGHUP": ("localtime", lambda: program.send(signal.SIGHUP)),
    }
    for name, (part, act) in trials.items():
        wait(lambda: is_serving(folder))
        program.delay(part, 6)
        act()
        until, worst, texts = time.monotonic() + 7.5, 0.0, []
        while time.monotonic() < until:
            text, seconds = ask(folder)
            worst = max(worst, seconds)
            texts.append(text)
            time.sleep(0.1)
        program.delay(None, 0)
        check("status is answered within 0.5 s while this is slow: " + name, worst < 0.5, "%.2f s" % worst)
        if "site file" in name:
            check("status names the file that does not answer", any("has not been answered for" in text for text in texts),
                  texts[-1])
        if "the state" in name:
            check("status names the state that is not written yet",
                  any("the state is not saved yet" in text for text in texts), texts[-1])
        if "records" in name:
            check("status names the journal that does not answer",
                  any("writing the journal has not been answered for" in text for text in texts), texts[-1])
    check("the slow edit of the policies came into force", "reloaded files version 12" in said(folder), said(folder))
    output, errors = pushes[0].communicate()
    check("the command of the slow push says that it waits, and then that the policy is in force",
          "Ctrl-C does not withdraw the change" in errors and "switched to files version 13" in output, output + errors)
    check("the log says first that the state is not saved yet, and later that the disk answers again",
          "the state is not saved yet" in said(folder) and wait(lambda: "the disk answers again" in said(folder)), said(folder))
    check("the slow push is in force", wait(lambda: "files version 13" in ask(folder)[0]), ask(folder)[0] + said(folder))
    check("the slow clock step is in force", wait(lambda: "clock" in ask(folder)[0]), ask(folder)[0] + said(folder))
    check("the slow plugin serves", wait(lambda: is_serving(folder)), ask(folder)[0])
    began = time.monotonic()
    program.send(signal.SIGTERM)
    check("SIGTERM ends the daemon within 3 s", program.end(10) == 0 and time.monotonic() - began < 3, said(folder))
    for name, part in [("the journal does", "/journal"), ("the state does", "state"), ("all files do", "")]:
        ending(name, part)
    program = watched(folder_of())
    program.delay("/output", 30)
    began = time.monotonic()
    program.send(signal.SIGTERM)
    status = program.end(20)
    check("if the log does not answer, SIGTERM ends the daemon within 5 s; the exit code reports lost lines",
          status == 2 and time.monotonic() - began < 5, [status, time.monotonic() - began])


def starting():
    """A daemon that waits for its files at the start reports which file it waits for, and ends at SIGTERM."""
    if not kernelcalls.IS_SUPPORTED:
        return print("skipped: not on x86-64")
    for part in ["site.json", "manifest.json", "files.stint", "state", "/journal"]:
        folder = folder_of()
        program = kernelcalls.WatchedProgram([STINT, *WORDS], folder, folder + "/output", part, 9)
        wait(lambda: "the daemon starts; it has waited for " in ask(folder)[0], 6)
        text, seconds = ask(folder)
        check("at the start, status says within 0.5 s what the daemon waits for: " + part,
              seconds < 0.5 and "the daemon starts; it has waited for " in text, [seconds, text])
        check("a program cannot attach yet", "attach again later" in exchange(folder, {"attach": {"name": "early"}}))
        check("the log reports this wait after 5 s",
              wait(lambda: "the daemon cannot start yet: it has waited for" in said(folder), 9),
              said(folder))
        program.delay(None, 0)
        check("then the daemon starts", wait(lambda: is_serving(folder), 30), ask(folder)[0] + said(folder))
        program.send(signal.SIGTERM)
        check("SIGTERM ends the daemon", program.end(10) == 0, said(folder))
    program = kernelcalls.WatchedProgram([STINT, *WORDS], folder_of(), "/dev/null", "/journal", 30)
    time.sleep(2)
    program.send(signal.SIGTERM)
    status = program.end(2)
    check("SIGTERM ends, within 2 s, a daemon that waits at its start", status is not None, status)


def ending(name, part):
    """Ends a daemon while accesses to files do not return: status is answered, and the daemon ends within 15 s."""
    folder = folder_of()
    program = watched(folder)
    program.delay(part, 30)
    began = time.monotonic()
    program.send(signal.SIGTERM)
    time.sleep(1.5)
    text, seconds = ask(folder)
    check("while %s not answer, status is answered within 0.5 s and gives the reason of the wait" % name,
          seconds < 0.5 and "the daemon waits for its files" in text, [seconds, text])
    attached = exchange(folder, {"attach": {"name": "late-app"}})
    check("while %s not answer, a program cannot attach to the ending daemon" % name,
          "the daemon ends" in attached, attached)
    status = program.end(20)
    seconds = time.monotonic() - began
    check("SIGTERM ends the daemon within 15 s while %s not answer" % name, status is not None and seconds < 15,
          [status, seconds, said(folder)])


def pipe():
    """A pipe in place of a file does not block the daemon."""
    for name, place in [
        ("the program of a plugin", "r0/program.py"),
        ("the site file", "site.json"), ("a policy", "policies/files.stint")]:
        folder = folder_of()
        daemon = start(folder)
        wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
        running = process(folder)
        os.mkfifo(folder + "/pipe")
        os.rename(folder + "/pipe", folder + "/" + place)
        if place.endswith("program.py"):
            os.kill(running, signal.SIGKILL)
            reason = "is not a regular file"
        else:
            daemon.send_signal(signal.SIGHUP)
            # A pipe with the name of a policy is refused without being opened.
            reason = "a pipe, a socket or a device with the name of a policy" if place.endswith(".stint") else "has sent nothing for 3 s"
        check("the reason is in status or in the log: " + name,
              wait(lambda: reason in ask(folder, seconds=2)[0] + said(folder)), ask(folder, seconds=2)[0] + said(folder))
        text, seconds = ask(folder, seconds=2)
        check("status is answered within 0.5 s: " + name, seconds < 0.5 and "radio.r0" in text, [seconds, text])
        if place.endswith(".stint"):
            text, seconds = ask(folder, "push", file="other.stint", text='policy "other" version 1\n')
            check("a push is answered while a pipe is in place of a policy",
                  seconds < 2 and "switched" in text, [seconds, text])
        seconds = stop(daemon, 5)
        check("SIGTERM ends the daemon within 2 s: " + name, seconds is not None and seconds < 2, seconds)


def with_value(option, value):
    """Returns the words of the daemon with another value of an option."""
    return [value if before == option else word for before, word in zip(["", *WORDS], WORDS)]


def odd():
    """Pipes, missing folders and invalid files are reported by name, at the start and later, and no pipe is replaced."""
    for option in ("--state", "--site", "--policies", "--journal"):
        folder = folder_of()
        os.mkfifo(folder + "/pipe")
        words = with_value(option, folder + "/pipe")
        try:
            ended = subprocess.run([STINT, *words], cwd=folder, capture_output=True, text=True, timeout=20)
            check("a pipe at the start ends the program, and the error names the pipe: " + option,
                  ended.returncode != 0 and "/pipe" in ended.stderr, [ended.returncode, ended.stderr])
        except subprocess.TimeoutExpired as waits:
            check("a pipe at the start ends the program, and the error names the pipe: " + option,
                  False, waits)
        check("the pipe is still there: " + option, stat.S_ISFIFO(os.stat(folder + "/pipe").st_mode), os.listdir(folder))
    for option in ("--state", "--journal", "--control"):
        folder = folder_of()
        ended = subprocess.run([STINT, *with_value(option, "gone/file")], cwd=folder, capture_output=True, text=True, timeout=20)
        check("a missing folder is named: " + option,
              "its folder gone does not exist" in ended.stderr and option in ended.stderr, ended.stderr)
    for words, sentence in [(with_value("--state", ""), "--state has an empty value"),
                            (with_value("--state", "site.json"), "--site and --state name the same path"),
                            (with_value("--journal", folder + "/./site.json"), "--site and --journal name the same path"),
                            (with_value("--state", "socket/"), "--state and --control name the same path"),
                            (with_value("--journal", "policies/../state"), "--state and --journal name the same path"),
                            (with_value("--journal", "state.permissions"), "--state and --journal name the same path"),
                            (with_value("--control", folder + "/state"), "--state and --control name the same path"),
                            (["same" if word in ("state", "journal") else word for word in WORDS], "name the same path")]:
        ended = subprocess.run([STINT, *words], cwd=folder, capture_output=True, text=True, timeout=20)
        check(sentence, ended.returncode != 0 and sentence in ended.stderr, [words, ended.stderr])
    restored()
    folder = folder_of()
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    os.rename(folder + "/site.json", folder + "/kept")
    os.mkfifo(folder + "/site.json")
    check("a pipe in place of the site file is in status",
          wait(lambda: "site.json: it is a pipe" in ask(folder)[0]), ask(folder)[0] + said(folder))
    write(folder + "/site.json", json.dumps({"stint_site": 1, "title": "x", "plugins": []}))
    check("a site without plugins ends the process of the last plugin",
          wait(lambda: "radio.r0 was removed" in said(folder)),
          said(folder))
    check("a valid site file is not in status", "site.json" not in ask(folder)[0], ask(folder)[0])
    write(folder + "/site.json", "garbage")
    check("a bad site file is in status", wait(lambda: "the file is ignored" in ask(folder)[0]), ask(folder)[0])
    write(folder + "/site.json", site_of(1))
    check("the plugin is put back", wait(lambda: is_serving(folder)), ask(folder)[0] + said(folder))
    check("a corrected site file is not in status, and the log reports the correction",
          "the file is ignored" not in ask(folder)[0] and "site.json is valid again" in said(folder), ask(folder)[0])
    os.rename(folder + "/policies", folder + "/elsewhere")
    check("a missing folder of policies is in status", wait(lambda: "refused    the policy files" in ask(folder)[0]),
          ask(folder)[0])
    os.rename(folder + "/elsewhere", folder + "/policies")
    check("a folder that exists again is not in status, and the log reports this folder",
          wait(lambda: "refused    the policy files" not in ask(folder)[0])
          and wait(lambda: "the policy files can be read again, and are unchanged" in said(folder)),
          ask(folder)[0] + said(folder))
    write(folder + "/policies/files.stint", "policy")
    check("a bad policy is in status", wait(lambda: "refused    the policy files" in ask(folder)[0]), ask(folder)[0])
    os.rename(folder + "/policies", folder + "/elsewhere")
    wait(lambda: "no such file" in ask(folder)[0])
    os.rename(folder + "/elsewhere", folder + "/policies")
    check("a bad policy remains in status when its folder is back",
          wait(lambda: "no such file" not in ask(folder)[0]) and "refused    the policy files" in ask(folder)[0],
          ask(folder)[0])
    write(folder + "/policies/files.stint", POLICY % 1)
    check("the former policy ends the refusal", wait(lambda: "refused    the policy files" not in ask(folder)[0]),
          ask(folder)[0])
    stop(daemon)


def restored():
    """A daemon with a saved state starts although a policy cannot be read; new files in the folder are noticed."""
    folder = folder_of()
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    stop(daemon)
    os.symlink("nothing", folder + "/policies/broken.stint")
    daemon = start(folder)
    check("the saved policy is in force, and the broken link is in status",
          wait(lambda: "files version 1" in ask(folder)[0] and "a link to a file that is not there" in ask(folder)[0]),
          ask(folder)[0] + said(folder))
    os.remove(folder + "/policies/broken.stint")
    check("the removed link is not in status", wait(lambda: "refused    the" not in ask(folder)[0]), ask(folder)[0])
    for name, make, remove in [("pipe", os.mkfifo, os.remove), ("folder", os.mkdir, os.rmdir)]:
        make(folder + "/policies/odd.stint")
        check("without an edit, status names a new " + name,
              wait(lambda: "odd.stint" in ask(folder)[0], 3), ask(folder)[0])
        remove(folder + "/policies/odd.stint")
        check("without an edit, status stops naming a removed " + name,
              wait(lambda: "odd.stint" not in ask(folder)[0], 3),
              ask(folder)[0])
    content = json.loads(site_of(1))
    write(folder + "/site.json", json.dumps(content | {"title": "other", "time_zone": "UTC+1"}))
    check("status names the changes that need a restart",
          wait(lambda: "restart    needed for the new value of “title”" in ask(folder)[0]
               and "“time_zone”" in ask(folder)[0]), ask(folder)[0] + said(folder))
    nobody = [{"name": "app", "demands": [{"target": "custom.nothing"}]}]
    for part, cause in [({"time_zone": "Mars/Phobos"}, "Mars/Phobos"), ({"clients": nobody}, "custom.nothing")]:
        write(folder + "/site.json", json.dumps(content | part))
        check("an edit that would prevent the next start is refused: " + cause,
              wait(lambda: cause in ask(folder)[0] and "the file is ignored" in ask(folder)[0]), ask(folder)[0] + said(folder))
    write(folder + "/site.json", site_of(1))
    check("no restart is needed after the changes were taken back", wait(lambda: "restart " not in ask(folder)[0]),
          ask(folder)[0])
    check("the daemon ends with status 0", stop(daemon) is not None and daemon.returncode == 0, daemon.returncode)


def pushes():
    """A push that cannot be saved changes nothing; the state is saved again without a push; plugin output is logged."""
    folder = folder_of()
    os.mkdir(folder + "/disk")
    path = folder + "/r0/program.py"
    program = open(path).read()
    write(path, program.replace("import os", "import sys, os").replace(
        "channel, sequence", 'print("hello \\x1b[31m there", file=sys.stderr, flush=True)\nchannel, sequence', 1))
    os.chmod(path, 0o755)
    subprocess.run([STINT, "plugin", "seal", "r0"], cwd=folder, capture_output=True)
    daemon = subprocess.Popen([STINT, *with_value("--state", "disk/state"), "--dated-log"], cwd=folder,
                              stdout=open(folder + "/output", "w"), stderr=subprocess.STDOUT)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    check("a line that a plugin prints is in the log", wait(lambda: "radio.r0 prints: hello" in said(folder)), said(folder))
    check("the escape character of the plugin's line is neither in the log nor in status",
          "\x1b" not in said(folder) + ask(folder)[0] and "its last output is “hello" in ask(folder)[0], ask(folder)[0])
    text = ask(folder, "push", file="files.stint", text=POLICY % 7)[0]
    check("a push comes into force while the disk accepts writes", "switched" in text and "version 7" in ask(folder)[0], text)
    os.rename(folder + "/disk", folder + "/gone")
    for question, more in [("push", dict(file="files.stint", text=POLICY % 8)), ("rollback", {}), ("rollback", {})]:
        text = ask(folder, question, **more)[0]
        check("a change is refused because it cannot be saved: " + question,
              "cannot be saved" in text and "nothing was changed" in text, text)
    levels = {line.split(" ")[1] for line in said(folder).splitlines() if "the change cannot be saved" in line}
    check("the dated log calls a refused change a problem", levels == {"problem"}, said(folder))
    levels = {line.split(" ")[1] for line in said(folder).splitlines() if "switched to" in line or "prints: hello" in line}
    check("the dated log calls an accepted change and printed lines notices", levels == {"notice"}, said(folder))
    check("the former policy stays in force", "files version 7" in ask(folder)[0], ask(folder)[0])
    check("status says that the state is not saved", "the state is not saved" in ask(folder)[0], ask(folder)[0])
    os.rename(folder + "/gone", folder + "/disk")
    check("the state is saved again within 8 s, without a request",
          wait(lambda: "saving the state works again" in said(folder), 8), said(folder))
    text = ask(folder, "rollback")[0]
    check("then a rollback is in force", "went back to" in text and "version 1" in text, text)
    text = ask(folder, "push", file="tick.stint", text='policy "tick" rule tick every 1 ms { emit "tick" }')[0]
    check("the answer to a push contains its warnings", "tick.stint:1:20: W0217: “tick” wakes the processor" in text, text)
    ask(folder, "rollback")
    daemon.kill()
    daemon.wait()
    daemon = subprocess.Popen([STINT, *with_value("--state", "disk/state")], cwd=folder, stdout=open(folder + "/output", "w"),
                              stderr=subprocess.STDOUT)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    check("the rollback is in force after a kill, too", "files version 1" in ask(folder)[0], ask(folder)[0])
    write(path, open(path).read() + "# changed\n")
    os.chmod(path, 0o755)
    os.kill(process(folder), signal.SIGKILL)
    check("a changed program is quarantined, and status says until when",
          wait(lambda: "is quarantined until SIGHUP" in ask(folder)[0]), ask(folder)[0])
    report = subprocess.run([STINT, "status", "--json", "--control", folder + "/socket"], capture_output=True, text=True)
    plugin = json.loads(report.stdout)["plugins"][0]
    check("the JSON status has the plugin's state, failure and last line, and no process",
          plugin["state"] == "quarantined" and "hash" in plugin["failure"] and plugin["process"] is None
          and plugin["next_start"] is None and plugin["last_output"].startswith("hello"), plugin)
    subprocess.run([STINT, "plugin", "seal", "r0"], cwd=folder, capture_output=True)
    check("a new seal starts the plugin again",
          wait(lambda: is_serving(folder)), ask(folder)[0] + said(folder))
    os.rename(path, path + ".kept")
    os.kill(process(folder), signal.SIGKILL)
    wait(lambda: "is quarantined" in ask(folder)[0])
    os.rename(path + ".kept", path)
    daemon.send_signal(signal.SIGHUP)
    check("SIGHUP starts the plugin again when its files are back",
          wait(lambda: is_serving(folder)), ask(folder)[0] + said(folder))
    os.rename(folder + "/disk", folder + "/gone")
    seconds = stop(daemon)
    check("the exit code reports that the last state is not saved",
          seconds is not None and daemon.returncode == 1,
          [seconds, daemon.returncode, said(folder)[-300:]])
    folder = folder_of()
    write(folder + "/state.permissions", "{")
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder))
    check("decisions that cannot be read are kept and named in status",
          "decisions about clients are not restored" in ask(folder)[0] and os.path.exists(folder + "/state.permissions.refused"),
          ask(folder)[0])
    stop(daemon)
    for name in ("state", "state.permissions"):
        folder = folder_of()
        write(folder + "/" + name, "the notes of a hike\n")
        daemon = start(folder)
        check(f"a foreign file in place of {name} keeps its content, and the daemon does not start",
              wait(lambda: daemon.poll() is not None) and daemon.returncode == 2
              and open(folder + "/" + name).read() == "the notes of a hike\n"
              and name in said(folder), [daemon.poll(), said(folder)])
    folder = folder_of()
    os.mkfifo(folder + "/state.permissions")
    daemon = start(folder)
    check("a pipe in place of the decisions does not delay the start", wait(lambda: is_serving(folder), 2), said(folder))
    stop(daemon)


def large():
    """While a large plugin folder is hashed, the daemon uses at most 64 MB and answers without delay."""
    folder = folder_of(extra=[("data", 64 << 20)])
    daemon = start(folder)
    check("the plugin serves", wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder), 60), said(folder))
    before = peak(daemon.pid)
    worst = 0.0
    os.kill(process(folder), signal.SIGKILL)
    until = time.monotonic() + 4
    while time.monotonic() < until:
        worst = max(worst, ask(folder)[1])
        time.sleep(0.05)
    check("the plugin serves again", wait(lambda: is_serving(folder), 60), ask(folder)[0])
    check("the daemon needs at most 64 MB at any time", peak(daemon.pid) < 64 << 10, [before, peak(daemon.pid)])
    check("status is answered within 0.5 s while the folder is hashed", worst < 0.5, worst)
    stop(daemon)


def peak(process):
    """The peak of the resident memory in kB."""
    with open("/proc/%d/status" % process) as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1))


def opening():
    """Devices open at the same time, and the daemon answers meanwhile."""
    folder = folder_of(8, delay=1.8)
    began = time.monotonic()
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket"))
    text, seconds = ask(folder)
    check("the first status is answered within 1.5 s", time.monotonic() - began < 1.5 and "radio.r7" in text,
          [time.monotonic() - began, text])
    names = re.findall(r"(?m)^\w* *(radio\.r\d) ", text)
    check("status lists the devices in their order", names[:8] == sorted(names[:8]) and len(names) >= 8, [names, text])
    check("all eight devices are open within 6 s",
          wait(lambda: all("radio.r%d serves" % number in ask(folder)[0] for number in range(8)), 6), ask(folder)[0])
    print("        all open after %.1f s" % (time.monotonic() - began))
    check("no device is left unavailable", "unavailable" not in ask(folder)[0], ask(folder)[0])
    seconds = stop(daemon)
    check("SIGTERM ends the daemon within 3 s", seconds is not None and seconds < 3, seconds)
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket") and is_serving(folder) and is_serving(folder, 1))
    os.kill(process(folder), signal.SIGSTOP)
    daemon.send_signal(signal.SIGTERM)
    answers = []
    while daemon.poll() is None and len(answers) < 1000:
        answers.append(ask(folder, seconds=3)[0])
        time.sleep(0.02)
    bad = [text for text in answers if "no answer" not in text and "process" not in text]
    check("while a plugin that hangs is closed, each connection to the socket gets a whole answer",
          len(answers) > 20 and not bad and not any("timed out" in text for text in answers), [len(answers), bad[:2]])
    daemon = start(folder)
    wait(lambda: os.path.exists(folder + "/socket"))
    time.sleep(0.3)
    seconds = stop(daemon)
    check("SIGTERM while devices open ends the daemon within 1 s", seconds is not None and seconds < 1, seconds)


def unwatched():
    """A daemon that cannot watch files starts, and reads them at SIGHUP and once a minute."""
    if subprocess.run(["unshare", "-U", "-r", "true"], capture_output=True).returncode != 0:
        return print("skipped: this system does not allow user namespaces")
    folder = folder_of()
    limit = 'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"'
    daemon = subprocess.Popen(["unshare", "-U", "-r", "sh", "-c", limit, "sh", STINT, *WORDS], cwd=folder,
                              stdout=open(folder + "/output", "w"), stderr=subprocess.STDOUT)
    reason = "the files are read at SIGHUP and once a minute"
    check("a daemon without watches starts and reports that it has none",
          wait(lambda: os.path.exists(folder + "/socket") and "radio.r0" in ask(folder)[0]) and reason in said(folder),
          said(folder))
    check("status names the reason", reason in ask(folder)[0], ask(folder)[0])
    check("the first line does not say that files are watched",
          "policies is read at SIGHUP and once a minute" in said(folder) and "is watched" not in said(folder), said(folder))
    write(folder + "/policies/files.stint", POLICY % 2)
    daemon.send_signal(signal.SIGHUP)
    check("an edit comes into force at SIGHUP", wait(lambda: "files version 2" in ask(folder)[0]), ask(folder)[0])
    write(folder + "/policies/files.stint", POLICY % 3)
    time.sleep(2)
    check("an edit does not come into force at once", "files version 2" in ask(folder)[0], ask(folder)[0])
    check("an edit comes into force within a minute", wait(lambda: "files version 3" in ask(folder)[0], 61), ask(folder)[0])
    stop(daemon)


GROUPS = {"loop": loop, "slow": slow, "starting": starting, "pipe": pipe, "odd": odd, "pushes": pushes, "large": large, "opening": opening, "unwatched": unwatched}

if __name__ == "__main__":
    began = time.time()
    for group in sys.argv[2:] or GROUPS:
        print(f"-- {group}: {GROUPS[group].__doc__}")
        GROUPS[group]()
    print(f"{len(FAILED)} checks failed in {time.time() - began:.0f} s")
    sys.exit(1 if FAILED else 0)
