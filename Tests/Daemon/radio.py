#!/usr/bin/env python3
"""Tests a radio in a separate process, under `stint run`.

usage: radio.py STINT REPOSITORY

The radio is a Python program that uses version 1.2 of the protocol. It carries transfers of a client, is killed during
a transfer, and breaks the protocol. The exit code is 1 when a check fails. No check needs a network or special
permissions.
"""
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

STINT, REPOSITORY = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FAILED = []

MANIFEST = {
    "stint_manifest": 1, "device": "radio.lora", "kind": "radio", "title": "LoRa modem",
    "ladder": {"name": "radio", "rank": 0},
    "states": [{"name": "idle", "power": "1 mW", "on": False}, {"name": "sending", "power": "100 mW", "on": True}],
    "transitions": [["idle", "sending"], ["sending", "idle"]], "initial": "idle", "safe": "idle",
    "verbs": ["defer", "flush"], "figures": {"link_rate": "20 kB/s"}, "provides": ["transfers"],
}

RADIO = '''#!/usr/bin/env python3
import os, select, struct, time

MODE = "@MODE@"
channel, sequence, held, offset, queue, until = 3, 0, b"", 0, [], None


def now():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) + offset


def text(value):
    return struct.pack("<H", len(value)) + value.encode()


def say(kind, body):
    global sequence
    os.write(channel, struct.pack("<IHHQ", 16 + len(body), kind, 0, sequence) + body)
    sequence += 1


def begin():
    global until
    say(19, struct.pack("<qIq", now(), 1, 0))
    until = now() + 1_000_000_000 * (queue[0][1] + queue[0][2]) // 20_000


def finish():
    global until
    number = queue.pop(0)[0]
    until = None
    say(29, struct.pack("<qq", now(), number + (1000 if MODE == "liar" else 0)))
    if queue:
        begin_next()
    else:
        say(19, struct.pack("<qIq", now(), 0, 0))


def begin_next():
    global until
    until = now() + 1_000_000_000 * (queue[0][1] + queue[0][2]) // 20_000


def answer(kind, body):
    global offset
    if kind == 0:
        _, minor, _, time_there, steady = struct.unpack("<HHIqq", body)
        offset = time_there - steady
        say(1, struct.pack("<HH", 1, 1 if MODE == "old" else 2))
        names = struct.pack("<H", 2) + text("idle") + text("sending")
        say(3, text("radio.lora") + names + struct.pack("<HHH", 0, 0, 0))
    elif kind == 2:
        say(5, struct.pack("<q", now()))
    elif kind == 4:
        token = struct.unpack_from("<I", body)[0]
        say(7, struct.pack("<qIIq", now(), token, 1 if queue else 0, 0))
    elif kind == 8:
        say(13, struct.pack("<q", now()))
        raise SystemExit
    elif kind == 12:
        _, number, up, down = struct.unpack("<qqqq", body)
        queue.append((number, up, down))
        if len(queue) == 1:
            begin()
    elif kind == 14:
        number = struct.unpack("<qq", body)[1]
        for index, entry in enumerate(queue):
            if entry[0] == number:
                say(31, struct.pack("<qqq", now(), number, 0))
                del queue[index]
                if not queue:
                    say(19, struct.pack("<qIq", now(), 0, 0))
                elif index == 0:
                    begin_next()
                break


while True:
    wait = None if until is None or not queue else max(0, until - now()) / 1e9
    if select.select([channel], [], [], wait)[0]:
        data = os.read(channel, 65536)
        if not data:
            raise SystemExit
        held += data
    while len(held) >= 16 and len(held) >= struct.unpack_from("<I", held)[0]:
        size, kind = struct.unpack_from("<IH", held)
        frame, held = held[16:size], held[size:]
        answer(kind, frame)
    if queue and until is not None and now() >= until:
        finish()
'''

POLICY = """policy "radio" version 1
rule low while battery.level < 1 % { defer radio.lora until battery.level > 5 % deadline 1 h }
"""


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-900:]), flush=True)
    if not holds:
        FAILED.append(name)


def wait(condition, seconds=15):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def folder_of(mode, transfers):
    """Makes a folder with a site and a radio plugin whose plugin.json contains the hashes of its files."""
    folder = tempfile.mkdtemp(prefix="stint-radio-")
    subprocess.run([STINT, "plugin", "new", "modem", "--language", "python"], cwd=folder, check=True,
                   capture_output=True)
    modem = os.path.join(folder, "modem")
    for name in ("test_modem.py", "site.json", "watch.stint"):
        os.remove(os.path.join(modem, name))
    with open(os.path.join(modem, "manifest.json"), "w") as file:
        json.dump(MANIFEST, file)
    with open(os.path.join(modem, "modem.py"), "w") as file:
        file.write(RADIO.replace("@MODE@", mode))
    with open(os.path.join(modem, "plugin.json")) as file:
        descriptor = json.load(file)
    descriptor["settings"], descriptor["needs"] = [], []
    descriptor["files"] = {
        name: hashlib.sha256(open(os.path.join(modem, name), "rb").read()).hexdigest()
        for name in ("manifest.json", "modem.py")}
    with open(os.path.join(modem, "plugin.json"), "w") as file:
        json.dump(descriptor, file, indent=1)
    with open(os.path.join(folder, "radio.stint"), "w") as file:
        file.write(POLICY)
    with open(os.path.join(folder, "site.json"), "w") as file:
        json.dump({"stint_site": 1, "title": "radio", "plugins": [{"process": "modem/plugin.json"}],
                   "clients": [{"name": "logger", "transfers": transfers}]}, file)
    return folder


class Daemon:
    def __init__(self, folder):
        self.control = os.path.join(folder, "socket")
        self.errors = open(os.path.join(folder, "errors"), "w+")
        self.report = open(os.path.join(folder, "report"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "radio.stint", "--site", "site.json", "--control", self.control, "--json"],
            cwd=folder, stdout=self.report, stderr=self.errors)
        wait(lambda: os.path.exists(self.control))

    def status(self):
        return subprocess.run([STINT, "status", "--control", self.control], capture_output=True, text=True).stdout

    def why(self):
        return subprocess.run([STINT, "why", "radio.lora", "--control", self.control], capture_output=True, text=True).stdout

    def modem(self):
        found = re.search(r"radio\.lora .*process (\d+)", self.status())
        return int(found.group(1)) if found else None

    def said(self):
        with open(self.errors.name) as file:
            return file.read()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
        with open(self.report.name) as file:
            lines = [line for line in file.read().splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {}


# A client sends 20 kB every two seconds; the radio needs one second for each transfer.
daemon = Daemon(folder_of("good", [{"target": "radio.lora", "first": "2 s", "every": "2 s", "count": 3, "up": "20 kB"}]))
check("the radio in a process serves", wait(lambda: "radio.lora serves" in daemon.status()), daemon.status() + daemon.said())
for _ in range(3):
    wait(lambda: "sending" in daemon.why())
    wait(lambda: "sending" not in daemon.why())
report = daemon.end()
transfers = report.get("transfers", {})
check("three transfers are carried", transfers.get("carried") == 3, [transfers, daemon.said()])
check("the bytes of the transfers are counted", transfers.get("bytes_up") == 60_000, transfers)
energy = report.get("energy_nJ", {})
sending = energy.get("by_device", {}).get("radio.lora", 0) / 1e9
check("the energy of about three seconds of sending is charged", 0.25 < sending < 0.6, sending)
check("the energy of the transfers is charged to their client",
      energy.get("by_client", {}).get("logger", 0) / 1e9 > 0.2, energy)

# The process is killed during a transfer of four seconds. The next process carries the transfer.
daemon = Daemon(folder_of("good", [{"target": "radio.lora", "first": "300 ms", "up": "80 kB"}]))
check("the radio sends", wait(lambda: "sending" in daemon.why()), daemon.why())
first = daemon.modem()
if first:
    os.kill(first, signal.SIGKILL)
check("a killed radio is started again", wait(lambda: daemon.modem() not in (None, first)), daemon.status() + daemon.said())
wait(lambda: "sending" in daemon.why())
check("the successor completes the transfer", wait(lambda: "sending" not in daemon.why()), daemon.why())
report = daemon.end()
check("the successor carries the transfer", report.get("transfers", {}).get("carried", 0) >= 1, [report.get("transfers"), daemon.said()])
check("the report has no unexplained time", report.get("unexplained_ns") == 0, report.get("unexplained_ns"))

# A radio that completes an unknown transfer violates the protocol.
daemon = Daemon(folder_of("liar", [{"target": "radio.lora", "first": "300 ms", "up": "4 kB"}]))
check("a radio that completes unknown transfers is ended",
      wait(lambda: "which is not in progress" in daemon.status() + daemon.said()), daemon.status() + daemon.said())
daemon.end()

# A program with version 1.1 of the protocol cannot be a radio.
daemon = Daemon(folder_of("old", []))
check("a radio with version 1.1 is refused, and the reason names 1.2",
      wait(lambda: "a radio needs 1.2" in daemon.status() + daemon.said()), daemon.status() + daemon.said())
daemon.end()

print("failed: " + ", ".join(FAILED) if FAILED else "all checks pass")
sys.exit(1 if FAILED else 0)
