#!/usr/bin/env python3
"""Tests, under `stint run`, the plugin that `stint plugin new --kind radio` writes: a radio that is also a carrier.

usage: carrier.py STINT REPOSITORY

A client program requests downloads through the socket. The process of the modem is killed during a download, and the
restarted process continues this download. The exit code is 1 when a check fails. No check needs a network or special
permissions.
"""
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

STINT, REPOSITORY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FAILED = []
NAME = f"modem_{os.getpid()}"
SPOOL = f"/var/tmp/{NAME}"
RADIO = f"radio.{NAME}"


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-1500:]), flush=True)
    if not holds:
        FAILED.append(name)


def wait(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Daemon:
    def __init__(self, folder):
        self.control = os.path.join(folder, "socket")
        self.output = open(os.path.join(folder, "output"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "watch.stint", "--site", "site.json", "--control", self.control],
            cwd=os.path.join(folder, NAME), stdout=self.output, stderr=subprocess.STDOUT)
        wait(lambda: os.path.exists(self.control))

    def ask(self, *words):
        return subprocess.run(
            [STINT, *words, "--control", self.control], capture_output=True, text=True).stdout

    def modem(self):
        found = re.search(re.escape(RADIO) + r" .*process (\d+)", self.ask("status"))
        return int(found.group(1)) if found else None

    def said(self):
        with open(self.output.name) as file:
            return file.read()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


class Program:
    """A client program that reads all messages."""

    def __init__(self, daemon, name):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(daemon.control)
        self.lines = self.socket.makefile("r")
        self.messages = []
        self.send(attach={"name": name})

    def send(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def until(self, holds, seconds=30):
        """Reads messages until one satisfies the condition. Returns that message, or None."""
        self.socket.settimeout(seconds)
        try:
            for line in self.lines:
                message = json.loads(line)
                self.messages.append(message)
                if holds(message):
                    return message
        except OSError:
            pass
        return None

    def task(self, name, state):
        """Reads until a task is in a state."""
        return self.until(
            lambda message: message.get("event", {}).get("task") == name and message["event"].get("state") == state)

    def problem(self):
        return (self.until(lambda message: "problem" in message) or {}).get("problem", {})


folder = tempfile.mkdtemp(prefix="stint-carrier-")
os.makedirs(SPOOL, exist_ok=True)
daemon = None
try:
    made = subprocess.run([STINT, "plugin", "new", NAME, "--language", "python", "--kind", "radio"], cwd=folder,
                          capture_output=True, text=True)
    check("the template is written", made.returncode == 0, made.stdout + made.stderr)
    tests = subprocess.run([sys.executable, "-m", "unittest"], cwd=os.path.join(folder, NAME), capture_output=True, text=True)
    check("the template's own tests pass", tests.returncode == 0, tests.stderr)
    judged = subprocess.run([STINT, "plugin", "check", "."], cwd=os.path.join(folder, NAME), capture_output=True, text=True)
    check("the template passes `stint plugin check`", judged.returncode == 0, judged.stdout + judged.stderr)
    check("`stint plugin check` covers transfers and orders",
          "kept    completes a transfer" in judged.stdout and "kept    reports the end" in judged.stdout, judged.stdout)

    source = os.path.join(SPOOL, "source")
    data = os.urandom(60_000)
    with open(source, "wb") as file:
        file.write(data)
    daemon = Daemon(folder)
    check("the modem serves", wait(lambda: f"{RADIO} serves" in daemon.ask("status")), daemon.ask("status") + daemon.said())

    program = Program(daemon, "map-app")
    program.send(request={"id": 1, "kind": "transfers"})
    check("a session is accepted", program.until(lambda message: "accepted" in message), program.messages)
    program.send(command={"id": 1, "task": "a", "download": "file:" + source, "bytes_down": 60_000, "urgent": True})
    done = program.task("a", "finished")
    check("a download finishes", done, [program.messages, daemon.said(), daemon.ask("why", RADIO)])
    path = (done or {}).get("event", {}).get("file", "")
    check("the downloaded file equals its source", path and hashlib.sha256(open(path, "rb").read()).digest() == hashlib.sha256(data).digest(), path)
    rate = re.search(r'"net.throughput","value":"([\d.]+) kB/s","source":"%s"' % re.escape(RADIO),
                     daemon.ask("status", "--json").replace('": ', '":').replace(', "', ',"'))
    check("the modem has published the rate of the download", rate and 1 < float(rate.group(1)) <= 21,
          daemon.ask("status", "--json"))
    program.send(command={"id": 1, "received": "a"})
    check("the file is removed after it was received", wait(lambda: not os.path.exists(path)), os.listdir(SPOOL))
    check("the modem is off afterwards", wait(lambda: "active" not in daemon.ask("why", RADIO)), daemon.ask("why", RADIO))

    program.send(command={"id": 1, "received": "a"})
    check("a second “received” is a problem", program.problem().get("code") == "absent", program.messages[-1])
    program.send(command={"id": 1, "task": "b", "download": "ftp://box/b", "urgent": True})
    failed = program.task("b", "failed")
    check("a task with an unsupported address fails, and the notice gives the reason",
          "file:/" in str((failed or {}).get("event", {}).get("fault")), program.messages[-3:])
    program.send(command={"id": 1, "task": "c"})
    check("a task without an address is a problem", "download" in program.problem().get("cause", ""), program.messages[-1])

    for invalid in [{"task": "", "download": "file:" + source}, {"task": "x\ny", "download": "file:" + source},
                    {"task": "c", "download": "file:" + source, "bytes_down": -1},
                    {"task": "c", "download": "file:" + source, "window": "-1 s"},
                    {"task": "c", "download": "file:" + source, "window": "80 years"},
                    {"task": "c", "download": ""},
                    {"task": "c", "upload": "", "to": "file:" + folder}, {"task": "c", "upload": source, "to": ""}]:
        program.send(command={"id": 1, **invalid})
        problem = program.problem()
        check(f"an invalid task is a problem with the code “invalid”: {invalid}",
              problem.get("code") == "invalid" and problem.get("id") == 1, program.messages[-2:])

    # The modem is killed during a download. Later the download continues after the part on the disk.
    program.send(command={"id": 1, "task": "d", "download": "file:" + source, "bytes_down": 60_000, "urgent": True})
    program.task("d", "accepted")
    part = lambda: [name for name in os.listdir(SPOOL) if name.endswith(".part")]
    wait(lambda: part() and os.path.getsize(os.path.join(SPOOL, part()[0])) > 10_000)
    first = daemon.modem()
    os.kill(first, signal.SIGKILL)
    waiting = program.task("d", "waiting")
    check("a notice tells the program why the task waits",
          (waiting or {}).get("event", {}).get("reason") in ("retry", "no-radio", "no-carrier"), program.messages[-4:])
    check("the modem is started again", wait(lambda: daemon.modem() not in (None, first)), daemon.ask("status"))
    absences = [message["event"] for message in program.messages if message.get("event", {}).get("status") == "unavailable"]
    check("the status “unavailable” contains the time of the next start", absences and "until" in absences[-1], absences)
    check("the part is kept", part() and os.path.getsize(os.path.join(SPOOL, part()[0])) > 10_000, os.listdir(SPOOL))
    done = program.until(lambda message: message.get("event", {}).get("state") in ("finished", "failed"), 60)
    path = (done or {}).get("event", {}).get("file", "")
    check("the download finishes after the kill", path and open(path, "rb").read() == data, [done, program.messages[-6:]])

    # A program that closes its connection without a message leaves no files.
    program.socket.shutdown(socket.SHUT_RDWR)
    program.socket.close()
    check("the files of a program that has left are removed", wait(lambda: os.listdir(SPOOL) == ["source"]), os.listdir(SPOOL))
    check("the modem is off after the program has left", wait(lambda: "active" not in daemon.ask("why", RADIO)), daemon.ask("why", RADIO))
    daemon.end()
finally:
    if daemon:
        daemon.process.kill()
    shutil.rmtree(SPOOL, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)

print("failed: " + ", ".join(FAILED) if FAILED else "all checks pass")
sys.exit(1 if FAILED else 0)
