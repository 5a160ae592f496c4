#!/usr/bin/env python3
"""Tests client programs of `stint run`, through its control socket.

usage: clients.py STINT REPOSITORY

Runs the Python program and the example exactly as the page about client programs prints them. Then sends
wrong input, ends programs without a message, and runs programs that do not read. The exit code is 1 when a
check fails. Each daemon runs in a separate temporary folder. No check needs a network or special permissions.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

STINT, REPOSITORY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PAGE = open(os.path.join(REPOSITORY, "Sources/Stint/Stint.docc/Clients.md")).read()
FAILED = []

POLICY = """policy "clients" version 1
use location.gnss as gps required
rule rest while battery.level < 1 % { pause gps }
"""


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-900:]), flush=True)
    if not holds:
        FAILED.append(name)


class Daemon:
    def __init__(self, folder, *options):
        self.control = os.path.join(folder, "socket")
        with open(os.path.join(folder, "clients.stint"), "w") as file:
            file.write(POLICY)
        self.output = open(os.path.join(folder, "output"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "clients.stint", "--simulate", "quiet", "--speed", "20", "--control",
             self.control, *options],
            cwd=folder, stdout=self.output, stderr=subprocess.STDOUT)
        wait(lambda: os.path.exists(self.control))

    def status(self):
        answer = subprocess.run([STINT, "status", "--json", "--control", self.control], capture_output=True, text=True)
        return answer.stdout

    def said(self):
        with open(self.output.name) as file:
            return file.read()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


def wait(condition, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Program:
    """A client program: sends objects or raw bytes, and receives objects."""

    def __init__(self, daemon, name=None):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(daemon.control)
        self.socket.settimeout(20)
        self.lines = self.socket.makefile("r")
        if name:
            self.send({"attach": {"name": name}})
            self.attached = self.next()

    def send(self, *messages):
        for message in messages:
            self.socket.sendall((message if isinstance(message, str) else json.dumps(message)).encode() + b"\n")

    def next(self):
        line = self.lines.readline()
        return json.loads(line) if line else None

    def until(self, kind):
        while True:
            message = self.next()
            if message is None or kind in message:
                return message

    def close(self):
        self.lines.close()
        self.socket.close()


def program_of_the_page(daemon, folder):
    code = re.search(r"```python\n(.*?)```", PAGE, re.S).group(1)
    check("the Python program of the page has at most 30 lines", len(code.splitlines()) <= 30)
    scenario = re.search(r"--simulate (\S+)", PAGE).group(1)
    with open(os.path.join(REPOSITORY, f"Sources/StintSimulation/Resources/{scenario}.json")) as file:
        names = [client["name"] for client in json.load(file)["clients"]]
    check("no client of the page's scenario has the name of the page's program",
          re.search(r'attach=\{"name": "(.*?)"', code).group(1) not in names, names)
    path = os.path.join(folder, "client.py")
    with open(path, "w") as file:
        file.write(code)
    client = subprocess.Popen([sys.executable, path, daemon.control], stdout=subprocess.PIPE, text=True)
    fixes = [json.loads(client.stdout.readline()) for _ in range(3)]
    check("the Python program of the page prints fixes", all({"t", "lat", "lon", "accuracy_m"} <= set(fix) for fix in fixes), fixes)
    check("status shows the demand of the program", "fix-printer" in subprocess.run(
        [STINT, "why", "location.gnss", "--control", daemon.control], capture_output=True, text=True).stdout)
    client.kill()
    check("the requests of a killed program end within a second", wait(lambda: "“fix-printer” left" in daemon.said(), 1), daemon.said())
    why = subprocess.run([STINT, "why", "location.gnss", "--control", daemon.control], capture_output=True, text=True).stdout
    check("no demand of the killed program remains", "fix-printer" not in why, why)


def example_of_the_page(daemon):
    program = Program(daemon)
    lines = re.search(r"```text\n(.*?)```", PAGE, re.S).group(1).splitlines()
    for line in lines:
        if line.startswith("> "):
            program.send(line[2:])
            continue
        expected = json.loads(line[2:])
        message = program.next()
        # Fixes arrive at any time.
        while message and "fixes" in message.get("event", {}):
            message = program.next()
        check(f"the daemon answers {line[2:70]}", message == expected, message)
    program.close()


def outlook(daemon):
    program = Program(daemon, "outlook")
    program.send({"outlook": {"device": "location.gnss"}})
    answer = program.until("outlook")["outlook"]
    check("without a request, the outlook has the obstacle “no_request”",
          not answer["served"] and [part["kind"] for part in answer["obstacles"]] == ["no_request"], answer)
    program.send({"request": {"id": 1, "kind": "updates", "accuracy": "10 m"}})
    program.until("accepted")
    program.send({"outlook": {"device": "location.gnss"}})
    answer = program.until("outlook")["outlook"]
    check("a served program has no obstacles", answer["served"] and answer["obstacles"] == [], answer)
    latest = program.until("event")
    while "fixes" not in latest["event"]:
        latest = program.until("event")
    program.send({"outlook": {"device": "radio.wifi"}})
    answer = program.until("outlook")["outlook"]
    check("the earliest time of an outlook is not before the last fix",
          answer["earliest"] >= latest["event"]["fixes"][-1]["t"], (answer, latest))
    tilt = Program(daemon, "tilted")
    subprocess.run([STINT, "permit", "tilted", "--motion", "denied", "--control", daemon.control], capture_output=True)
    tilt.send({"request": {"id": 1, "kind": "orientation"}})
    tilt.until("event")
    tilt.send({"outlook": {"device": "motion.accelerometer"}})
    answer = tilt.until("outlook")["outlook"]
    check("a program that is served without the permission of the device has no obstacle",
          answer["served"] and answer["obstacles"] == [], answer)
    tilt.close()
    program.send({"presence": "background"})
    program.until("event")
    program.send({"outlook": {"device": "location.gnss"}})
    answer = program.until("outlook")["outlook"]
    check("the outlook in the background has the obstacle “background”, and no expected time",
          [part["kind"] for part in answer["obstacles"]] == ["background"] and "expected" not in answer, answer)
    for device in ["location.gnsss", "power.battery"]:
        program.send({"outlook": {"device": device}})
        problem = program.until("problem")["problem"]
        check(f"an outlook for {device} is refused, and the remedy lists the devices",
              problem["code"] == "no-such-device" and "location.gnss" in problem["remedy"], problem)
    program.send({"request": {"id": 2, "kind": "samples", "device": "radio.cellular"}})
    problem = program.until("problem")["problem"]
    check("samples of a radio are refused", "has no samples" in problem["cause"], problem)
    for number in range(5):
        other = Program(daemon, f"impatient-{number}")
        other.send({"outlook": {"device": "location.gnss"}})
        other.close()
    other = Program(daemon, "patient")
    other.send({"outlook": {"device": "location.gnss"}})
    check("programs that leave before their answer do not block the outlooks of others",
          other.until("outlook") is not None)
    other.close()
    program.close()


def orientation(daemon):
    program = Program(daemon, "tilt")
    program.send({"request": {"id": 1, "kind": "orientation", "rate": "2 Hz"}})
    words = {"portrait", "portrait_upside_down", "landscape_left", "landscape_right", "face_up", "face_down"}
    message = program.until("event")
    while message and "orientation" not in message.get("event", {}):
        message = program.until("event")
    check("a program gets the orientation without a command", bool(message) and message["event"]["orientation"] in words, message)
    program.send({"command": {"id": 1, "rate": "1 Hz"}})
    answer = program.until("problem")
    check("a command to a request without commands is a problem", "accepts no commands" in answer["problem"]["cause"], answer)
    program.send({"request": {"id": 2, "kind": "ranging", "name": "gate", "identity": "f7826da6"}})
    answer = program.until("problem")
    check("ranging without a receiver of beacons is refused with the reason", "beacons" in answer["problem"]["cause"], answer)
    program.close()


def request_command(daemon):
    answer = subprocess.run(
        [STINT, "request", "updates", "--accuracy", "10m", "--count", "3", "--control", daemon.control],
        capture_output=True, text=True, timeout=60)
    fixes = [json.loads(line) for line in answer.stdout.splitlines()]
    check("stint request prints three fixes", answer.returncode == 0 and len(fixes) == 3 and all("lat" in fix for fix in fixes),
          answer.stdout + answer.stderr)
    answer = subprocess.run(
        [STINT, "request", "samples", "--device", "motion.accelerometer", "--rate", "1Hz", "--count", "2", "--control",
         daemon.control], capture_output=True, text=True, timeout=60)
    check("stint request prints samples with the names of channels",
          answer.returncode == 0 and "x" in json.loads(answer.stdout.splitlines()[0]), answer.stdout + answer.stderr)
    answer = subprocess.run([STINT, "request", "update", "--control", daemon.control], capture_output=True, text=True)
    check("stint request refuses an unknown kind with a suggestion",
          answer.returncode == 1 and "did you mean “updates”?" in answer.stderr, answer.stderr)
    answer = subprocess.run(
        [STINT, "request", "samples", "--device", "no.device", "--control", daemon.control], capture_output=True, text=True)
    check("stint request names a missing device", answer.returncode == 1 and "no device is called “no.device”" in answer.stderr, answer.stderr)
    answer = subprocess.run([STINT, "request", "fix", "--control", "/nowhere"], capture_output=True, text=True)
    check("stint request exits with 3 without a daemon", answer.returncode == 3, answer.stderr)
    client = subprocess.Popen([STINT, "request", "updates", "--accuracy", "10m", "--name", "shell", "--control", daemon.control],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    client.stdout.readline()
    client.send_signal(signal.SIGINT)
    client.wait(10)
    check("Ctrl-C ends the request", wait(lambda: "“shell” left" in daemon.said(), 1), daemon.said())


def wrong_input(daemon):
    other = Program(daemon, "other")
    other.send({"request": {"id": 1, "kind": "updates", "accuracy": "10 m"}})
    program = Program(daemon, "wrong")
    for line in ["", "{", "[]", "null", "{}", '{"request":' * 200, "[" * 100_000, '{"request":{"id":1}}', '{"halt":1}',
                 '{"request":{"id":NaN,"kind":"fix"}}', '{"request":{"id":1e99,"kind":"fix"}}', "\x00\x01",
                 '{"attach":{"name":"again"}}', '{"publish":{"battery.level":"5 %"}}', '{"command":{"id":9,"pause":true}}',
                 '{"end":{"id":9}}', '{"request":{"id":1,"kind":"updates","accuracy":"-5 m"}}',
                 '{"request":{"id":1,"kind":"samples","device":"motion.accelerometer","rate":"0 Hz"}}',
                 '{"request":{"id":1,"kind":"regions","regions":[]}}', '{"a":1,"a":2}']:
        program.send(line)
        answer = program.next()
        check(f"wrong input {line[:50]!r} is answered with a problem that has a cause",
              bool(answer and answer.get("problem", {}).get("cause")), answer)
    program.socket.sendall(b'{"request":{"id":1,"kind":"visits"}}\n{"request":{"id":1,"kind":"visits"}}\n')
    check("a request is accepted after wrong input", "accepted" in program.until("accepted"))
    check("a number in use is refused", "is running" in program.until("problem")["problem"]["cause"])
    program.send({"command": {"id": 1, "accuracy": "10 m"}})
    check("a command to a request without commands has the code “invalid”",
          program.until("problem")["problem"]["code"] == "invalid", "")
    program.send({"request": {"id": 3, "kind": "updates"}}, {"command": {"id": 3, "task": "map", "download": "file:/a"}})
    problem = program.until("problem")["problem"]
    check("a command of another kind has the code “invalid”", problem["code"] == "invalid" and problem["id"] == 3, problem)
    program.send({"command": {"id": 3, "taks": "map"}})
    problem = program.until("problem")["problem"]
    check("a command with an unknown key has the code “unknown-name”", problem["code"] == "unknown-name", problem)
    program.send({"end": {"id": 3}})
    program.until("ended")
    program.send({"request": {"id": 4, "kind": "samples", "device": "motion.accelerometer"}}, {"end": {"id": 4}})
    check("ended samples have the reason “ended”", program.until("ended")["ended"]["reason"] == "ended")
    program.send({"end": {"id": 1}})
    check("the request ends", program.until("ended")["ended"]["reason"] == "ended")
    twin = Program(daemon, "wrong")
    check("a name in use is refused", "attached already" in twin.attached["problem"]["cause"], twin.attached)
    first = Program(daemon)
    first.send('{"request":{"id":1,"kind":"fix"}}')
    answer = first.next()
    check("a request before attach gets a problem with the code “order”",
          answer["problem"]["code"] == "order", answer)
    for text, code in [('{"presence":"foreground"}', "order"), ('{"attach":{"name":"' + "x" * (1 << 20) + '"}}', "too-large")]:
        first = Program(daemon)
        first.send(text)
        answer = first.next()
        check(f"a first message with a problem ends the connection: {text[:30]}",
              answer["problem"]["code"] == code and first.next() is None, answer)
    limit = Program(daemon, "limit")
    line = '{"end":{"id":1}}'
    limit.send(line + " " * ((1 << 20) - len(line)))
    check("a line of 1 MiB is read", limit.next()["problem"]["code"] == "over", "")
    limit.send(line + " " * ((1 << 20) - len(line) + 1))
    check("a line of 1 MiB and one byte ends the connection", limit.next()["problem"]["code"] == "too-large" and limit.next() is None, "")
    long = Program(daemon, "long")
    try:
        for _ in range(100):
            long.socket.sendall(b"x" * 1_000_000)
    except OSError:
        pass
    check("a line of 100 MB ends only its own connection", other.until("event") is not None)
    check("the daemon uses less than 64 MB after a line of 100 MB", resident(daemon) < 64, resident(daemon))
    for program in (other, program, twin, first, long):
        program.close()


def resident(daemon):
    status = open(f"/proc/{daemon.process.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024


def slow_programs(daemon):
    slow = Program(daemon, "slow")
    slow.send({"request": {"id": 1, "kind": "samples", "device": "motion.accelerometer", "rate": "50 Hz"}})
    reader = Program(daemon, "reader")
    reader.send({"request": {"id": 1, "kind": "samples", "device": "motion.accelerometer", "rate": "1 Hz"}})
    start = time.time()
    count, last = 0, None
    while time.time() - start < 12:
        for sample in reader.until("event")["event"].get("samples", []):
            count, last = count + 1, sample["t"]
    check("a client with 1 Hz beside one with 50 Hz gets 1 Hz", 200 <= count <= 300, count)
    check("the queue of a program that does not read is bounded", resident(daemon) < 64, resident(daemon))
    lost, end = 0, time.time() + 20
    while not lost and time.time() < end:
        lost = slow.until("event")["event"].get("lost", 0)
    check("a program that reads again gets the number of lost events", lost > 0, lost)
    slow.close()
    reader.close()


def many_connections(daemon):
    programs = []
    for number in range(1000):
        try:
            program = Program(daemon)
            program.send({"attach": {"name": f"client-{number}"}})
            programs.append(program)
        except OSError:
            break
    answers = [program.next() for program in programs]
    attached = sum(1 for answer in answers if answer and "attached" in answer)
    refused = sum(1 for answer in answers if answer and "problem" in answer)
    check("of 1,000 connections 256 attach and the others are refused", attached == 256 and attached + refused == 1000,
          (attached, refused, len(programs)))
    for program in programs:
        program.close()
    check("all attached programs leave", wait(lambda: daemon.said().count("left") >= attached, 20))
    last = Program(daemon, "last")
    check("a program attaches afterwards", "attached" in last.attached)
    last.close()


def paths(folder):
    os.mkdir(os.path.join(folder, "place"))
    run = [STINT, "run", "--policies", "clients.stint", "--simulate", "quiet"]
    answer = subprocess.run(run + ["--control", "place"], cwd=folder, capture_output=True, text=True)
    check("a folder as socket is refused", answer.returncode == 2 and "not a socket" in answer.stderr, answer.stderr)
    answer = subprocess.run(run + ["--control", "socket"], cwd=folder, capture_output=True, text=True)
    check("a second daemon on the socket is refused", answer.returncode == 2 and "another" in answer.stderr, answer.stderr)


def apps_of_a_site(folder):
    """The site file determines the permission of a program, its facts, and whether it may work in the background."""
    sensor = os.path.join(folder, "sys/bus/iio/devices/iio:device0")
    os.makedirs(sensor)
    os.makedirs(os.path.join(folder, "dev"))
    for name, content in {"name": "bmc150_accel", "in_accel_x_raw": "5", "in_accel_y_raw": "6", "in_accel_z_raw": "1000",
                          "in_accel_scale": "0.0098", "in_accel_sampling_frequency": "10",
                          "sampling_frequency_available": "10 50"}.items():
        with open(os.path.join(sensor, name), "w") as file:
            file.write(content + "\n")
    parts = {"sensor": "accelerometer", "sys": os.path.join(folder, "sys"), "dev": os.path.join(folder, "dev")}
    site = {"stint_site": 1, "time_zone": "UTC", "plugins": [{"plugin": "iio", "with": parts}],
            "apps": [{"name": "trail", "permission": "when_in_use", "background": False, "facts": ["hike.left"]},
                     {"name": "refused", "permission": "denied"}],
            "clients": [{"name": "logger", "demands": []}],
            "declares": [{"name": "hike.left", "unit": "h", "range": ["0 h", "24 h"]},
                         {"name": "hike.done", "boolean": True}]}
    with open(os.path.join(folder, "site.json"), "w") as file:
        json.dump(site, file)
    with open(os.path.join(folder, "site.stint"), "w") as file:
        file.write('policy "site" version 1\nuse motion.accelerometer as motion\n'
                   'rule long while hike.left > 5 h { stop motion }\n')
    daemon = SiteDaemon(folder)
    other = Program(daemon, "other")
    check("a name without an entry is refused on a site", "has no app" in other.attached["problem"]["cause"], other.attached)
    taken = Program(daemon, "logger")
    check("the name of a client of the site is refused", "has no app “logger”" in taken.attached["problem"]["cause"], taken.attached)
    refused = Program(daemon, "refused")
    refused.send({"request": {"id": 1, "kind": "samples", "device": "motion.accelerometer"}})
    answer = refused.next()
    check("a denied app gets no samples", "problem" in answer and answer["problem"]["code"] == "denied", answer)
    trail = Program(daemon, "trail")
    check("an app has the permission of its entry", trail.attached["attached"]["permission"] == "when_in_use", trail.attached)
    trail.send({"request": {"id": 1, "kind": "samples", "device": "motion.accelerometer", "rate": "10 Hz", "background": True}})
    problem = trail.until("problem")["problem"]
    check("a background request of an app that may not work in the background is refused",
          problem["code"] == "denied" and "background" in problem["cause"], problem)
    trail.send({"request": {"id": 2, "kind": "samples", "device": "motion.accelerometer", "rate": "10 Hz"}})
    event = trail.until("event")
    while "samples" not in event["event"]:
        event = trail.until("event")
    check("samples of a site's device arrive", "z" in event["event"]["samples"][0], event)
    trail.send({"publish": {"hike.done": True}})
    check("a fact that the entry does not name is refused",
          "may not publish" in trail.until("problem")["problem"]["cause"], "")
    for value in ["25 h", "-1 h"]:
        trail.send({"publish": {"hike.left": value}})
        problem = trail.until("problem")["problem"]
        check(f"a published value outside of the range, {value}, is refused", "range" in problem["cause"], problem)
    trail.send({"publish": {"hike.left": "6 h"}})
    event = trail.until("event")
    while "status" not in event["event"]:
        event = trail.until("event")
    check("a published fact changes a decision, and the event names the rule",
          event["event"]["status"] == "stopped" and event["event"]["rules"] == ["site/long"], event)
    trail.send({"outlook": {"device": "motion.accelerometer"}}, {"outlook": {"device": "motion.accelerometer"}})
    check("a second request for an outlook is refused before the first is answered",
          trail.until("problem")["problem"]["code"] == "too-many", "")
    outlook = trail.until("outlook")["outlook"]
    check("an outlook of a site's device names the fact, and the value of this fact that would be enough",
          not outlook["served"] and [part["text"] for part in outlook["obstacles"]]
          == ["hike.left is 6 h; 5 h would be enough"] and outlook["obstacles"][0]["needed"] == "5 h", outlook)
    trail.send({"publish": {"hike.left": "1 h"}})
    event = trail.until("event")
    while "status" not in event["event"]:
        event = trail.until("event")
    check("the request is served again when a new value of the fact ends the rule",
          event["event"]["status"] == "served", event)
    trail.send({"presence": "background"})
    event = trail.until("event")
    while event["event"].get("status") != "background":
        event = trail.until("event")
    check("in the background, the request is not served", True)
    trail.close()
    check("the program leaves", wait(lambda: "“trail” left" in daemon.said(), 1), daemon.said())
    check("the daemon ends", daemon.end() == 0, daemon.said())


class SiteDaemon(Daemon):
    def __init__(self, folder):
        self.control = os.path.join(folder, "site-socket")
        self.output = open(os.path.join(folder, "site-output"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "site.stint", "--site", "site.json", "--control", self.control], cwd=folder,
            stdout=self.output, stderr=subprocess.STDOUT)
        wait(lambda: os.path.exists(self.control))


def last_words(daemon):
    program = Program(daemon, "last")
    program.send({"request": {"id": 1, "kind": "updates", "accuracy": "10 m"}})
    program.until("accepted")
    code = daemon.end()
    ended = program.until("ended")
    check("the daemon ends the requests of its clients when it ends", code == 0 and ended is not None, (code, ended))


with tempfile.TemporaryDirectory() as folder:
    daemon = Daemon(folder)
    program_of_the_page(daemon, folder)
    example_of_the_page(daemon)
    orientation(daemon)
    outlook(daemon)
    request_command(daemon)
    wrong_input(daemon)
    slow_programs(daemon)
    many_connections(daemon)
    paths(folder)
    last_words(daemon)
    apps_of_a_site(folder)

sys.exit(1 if FAILED else 0)
