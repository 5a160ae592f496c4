#!/usr/bin/env python3
"""Runs the program on a site whose battery comes from UPower: `upower.py STINT`.

This program simulates UPower on a private message bus. Standard library only; prints a line for each successful
check, and exits with 1 at the first failure.
"""
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

STINT = sys.argv[1]
SERVICE, ROOT = "org.freedesktop.UPower", "/org/freedesktop/UPower"
DISPLAY = ROOT + "/devices/DisplayDevice"

class Message:
    """Encodes and decodes little-endian D-Bus messages, as far as a service with properties needs them."""

    def __init__(self):
        self.data = b""

    def align(self, size):
        self.data += bytes(-len(self.data) % size)

    def put(self, kind, value):
        if kind in "so":
            self.align(4)
            self.data += struct.pack("<I", len(value.encode())) + value.encode() + b"\0"
        elif kind == "g":
            self.data += struct.pack("<B", len(value)) + value.encode() + b"\0"
        elif kind == "v":
            self.put("g", value[0])
            self.put(*value)
        else:
            self.align({"y": 1, "b": 4, "u": 4, "d": 8}[kind])
            self.data += struct.pack({"y": "<B", "b": "<I", "u": "<I", "d": "<d"}[kind], value)

    @staticmethod
    def whole(kind, serial, fields, body=b""):
        head = Message()
        head.data = struct.pack("<BBBBII", ord("l"), kind, 0, 1, len(body), serial)
        items = Message()
        # The array begins after its length, aligned to eight.
        for number, signature, value in fields:
            items.align(8)
            items.put("y", number)
            items.put("v", (signature, value))
        head.data += struct.pack("<I", len(items.data)) + items.data
        head.align(8)
        return head.data + body


class Reading:
    def __init__(self, data):
        self.data, self.next = data, 0

    def take(self, kind):
        size = {"y": 1, "g": 1}.get(kind, 4)
        self.next += -self.next % size
        if kind == "y":
            self.next += 1
            return self.data[self.next - 1]
        if kind == "u":
            self.next += 4
            return struct.unpack_from("<I", self.data, self.next - 4)[0]
        count = self.data[self.next] if kind == "g" else struct.unpack_from("<I", self.data, self.next)[0]
        start = self.next + size
        self.next = start + count + 1
        return self.data[start:start + count].decode()


class Bus:
    """A connection to a bus."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lock = threading.Lock()
        self.serial = 0
        self.socket.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        assert self.socket.recv(1000).startswith(b"OK")
        self.socket.sendall(b"BEGIN\r\n")
        self.file = self.socket.makefile("rb")
        self.call("Hello")
        name = Message()
        name.put("s", SERVICE)
        name.put("u", 4)
        self.call("RequestName", "su", name.data)

    def say(self, kind, fields, body=b""):
        with self.lock:
            self.serial += 1
            self.socket.sendall(Message.whole(kind, self.serial, fields, body))

    def call(self, member, signature="", body=b""):
        name = "org.freedesktop.DBus"
        fields = [(1, "o", "/org/freedesktop/DBus"), (2, "s", name), (3, "s", member), (6, "s", name)]
        self.say(1, fields + ([(8, "g", signature)] if signature else []), body)

    def hear(self):
        """Returns the next message: kind, serial, fields, body; None at the end."""
        head = self.file.read(16)
        if len(head) < 16:
            return None
        kind, length, serial, size = struct.unpack("<xBxxIII", head)
        fields = Reading(head[12:] + self.file.read(size + -size % 8))
        fields.next = 4
        found = {}
        # Alignment is relative to the beginning of the message, which is itself aligned to eight.
        while fields.next < 4 + size:
            fields.next += -(fields.next + 12) % 8
            number, signature = fields.take("y"), fields.take("g")
            found[number] = fields.take({"o": "s"}.get(signature, signature))
        return kind, serial, found, self.file.read(length)


class UPower(Bus):
    """Simulates UPower on a machine with one battery."""

    def __init__(self, path):
        self.values = {
            (ROOT, "OnBattery"): ("b", 1), (DISPLAY, "IsPresent"): ("b", 1), (DISPLAY, "Type"): ("u", 2),
            (DISPLAY, "State"): ("u", 2), (DISPLAY, "Percentage"): ("d", 42.0), (DISPLAY, "EnergyRate"): ("d", 7.5)}
        self.asked = 0
        self.is_silent = False
        super().__init__(path)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while (message := self.hear()) is not None:
            kind, serial, fields, body = message
            if kind != 1 or fields.get(3) != "Get" or self.is_silent:
                continue
            self.asked += 1
            reading = Reading(body)
            reading.take("s")
            answer = Message()
            back = [(5, "u", serial), (6, "s", fields[7])]
            value = self.values.get((fields[1], reading.take("s")))
            if value is None:
                answer.put("s", "there is no such property")
                name = "org.freedesktop.DBus.Error.UnknownProperty"
                self.say(3, back + [(4, "s", name), (8, "g", "s")], answer.data)
            else:
                answer.put("v", value)
                self.say(2, back + [(8, "g", "v")], answer.data)

    def was_quiet(self, seconds):
        """Waits for this number of seconds. Returns whether no query arrived."""
        asked = self.asked
        time.sleep(seconds)
        return self.asked == asked

    def change(self, path, **values):
        for name, value in values.items():
            self.values[path, name] = (self.values[path, name][0], value)
        body = Message()
        body.put("s", SERVICE + (".Device" if path == DISPLAY else ""))
        body.put("u", 0)
        body.align(8)
        body.put("u", 0)
        self.say(4, [(1, "o", path), (2, "s", "org.freedesktop.DBus.Properties"), (3, "s", "PropertiesChanged"),
                     (8, "g", "sa{sv}as")], body.data)


def expect(truth, sentence, more=""):
    print(("  ok    " if truth else "  WRONG ") + sentence, flush=True)
    if not truth:
        raise SystemExit(more)


class Run:
    """`stint run` with the battery of UPower, and a policy that reads it."""

    def __init__(self, folder, address):
        self.folder = folder
        self.control = os.path.join(folder, "control")
        policy = os.path.join(folder, "box.stint")
        with open(policy, "w") as file:
            file.write(self.policy())
        site = {"stint_site": 1, "title": "box",
                "plugins": [{"plugin": "power_supply", "with": {"by": "upower", "bus": address, "sys": folder}},
                            {"plugin": "gpsd", "with": {"port": 1}}],
                "clients": [{"name": "app", "demands": [{"target": "location.gnss"}]}]}
        with open(os.path.join(folder, "site.json"), "w") as file:
            json.dump(site, file)
        self.output = os.path.join(folder, "output")
        with open(self.output, "wb") as output:
            self.process = subprocess.Popen(
                [STINT, "run", "--site", os.path.join(folder, "site.json"), "--policies", policy, "--control",
                 self.control], stdout=output, stderr=output)

    @staticmethod
    def policy():
        return ('policy "box" version 1\n\nuse location.gnss as gnss\n\n'
                'rule low "below 20 %, the receiver is off" while battery.level < 20 % { stop gnss }\n'
                'rule wall "while charging, the receiver is off" while battery.charging { stop gnss }\n')

    def seen(self):
        with open(self.output) as file:
            return file.read()

    def why(self):
        answer = subprocess.run([STINT, "why", "location.gnss", "--control", self.control], capture_output=True, text=True)
        return answer.stdout + answer.stderr

    def until(self, what, sentence, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            if what():
                expect(True, sentence)
                return
            time.sleep(0.1)
        expect(False, sentence, self.seen() + self.why())

    def slept(self, seconds):
        """Waits for this number of seconds. Returns whether the thread of the event loop did not wake."""
        before = self.waits()
        time.sleep(seconds)
        return self.waits() == before

    def waits(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(line for line in file if line.startswith("voluntary_ctxt_switches"))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


def main():
    if not shutil.which("dbus-daemon"):
        print("skipped: there is no dbus-daemon here, so UPower was NOT tested")
        return
    folder = tempfile.mkdtemp(prefix="stint-upower-")
    path = os.path.join(folder, "bus")
    daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address", "unix:path=" + path],
                              stderr=subprocess.DEVNULL)
    try:
        while not os.path.exists(path):
            time.sleep(0.02)
        upower = UPower(path)
        run = Run(folder, "unix:path=" + path)
        run.until(lambda: "battery.level is 42 %" in run.why(), "the level comes from UPower")
        asked = upower.asked
        upower.change(DISPLAY, Percentage=12.0)
        run.until(lambda: "stopped" in run.why() or "off" in run.why() and "12 %" in run.why(),
                  "a change that UPower signals is published at once, and the policy reacts")
        expect(upower.asked > asked, f"UPower was queried {upower.asked - asked} times for this change")
        upower.change(DISPLAY, Percentage=80.0, State=1)
        upower.change(ROOT, OnBattery=0)
        run.until(lambda: "ends when battery.charging is false" in run.why(), "the charging state is published")
        # On a busy machine, queries after a change may be late; a program that polls is never quiet for 3 s.
        run.until(lambda: upower.was_quiet(3), "UPower is not queried while nothing changes", 30)
        run.until(lambda: run.slept(3), "the event loop does not wake while nothing changes", 30)
        upower.change(DISPLAY, Percentage=400.0)
        run.until(lambda: "UPower: a charge of 400" in run.seen(), "an impossible value is reported")
        upower.change(DISPLAY, Percentage=80.0)
        upower.is_silent = True
        upower.change(DISPLAY)
        run.until(lambda: "UPower does not answer: " in run.seen(), "a silent UPower is a fault; the run continues")
        expect(run.end() == 0 and "every device is off" in run.seen(), "and the run ends normally", run.seen())
        run = Run(folder, "unix:path=/nowhere")
        run.until(lambda: "UPower does not answer: the bus: " in run.seen(), "a missing bus is reported as a fault")
        expect(run.end() == 0, "and the run ends normally", run.seen())
    finally:
        daemon.kill()
        daemon.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
