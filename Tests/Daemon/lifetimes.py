#!/usr/bin/env python3
"""Tests client programs with random actions, through the control socket of `stint run`.

usage: lifetimes.py STINT [COUNT] [SEED]

SEED determines the actions. Each program attaches, makes requests, changes them, goes to the background and back,
ends some requests, and leaves in one of four ways. The exit code is 1 in these cases:

- A program receives an event of a request that has ended.
- A program receives a position in the background without permission.
- A request has no end, or two ends.
- Clients, demands or descriptors of programs are left at the end.
- The daemon does not answer, or does not end with 0.
"""
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

STINT = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 400
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
FAILED = []

POLICY = """policy "lives" version 1
use location.gnss as gps required
use motion.accelerometer as steps
rule rest while battery.level < 1 % { pause gps }
"""
REQUESTS = [
    {"kind": "updates", "accuracy": "10 m"}, {"kind": "updates", "accuracy": "100 m", "filter": "50 m"},
    {"kind": "updates", "accuracy": "10 m", "background": True}, {"kind": "fix", "timeout": "30 s"},
    {"kind": "samples", "device": "motion.accelerometer", "rate": "5 Hz"}, {"kind": "visits"},
    {"kind": "moves"}, {"kind": "regions", "regions": [{"name": "a", "at": [47.0, 8.0], "radius": "200 m"}]},
]


def fail(seed, sentence, detail):
    FAILED.append(sentence)
    if len(FAILED) <= 10:
        print(f"FAILED  lifetime {seed}: {sentence}\n        {str(detail)[-600:]}", flush=True)


def wait(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Life:
    def __init__(self, control, seed):
        self.seed, self.random = seed, random.Random(seed)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(control)
        self.buffer = b""
        self.kinds, self.running, self.over = {}, set(), set()
        self.background_from = None
        self.counts = {"events": 0, "ends": 0}

    def send(self, **message):
        self.socket.settimeout(10)
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def lines(self, until, seconds=10):
        """Reads messages until one satisfies the condition. Returns None after `seconds`, or without a connection."""
        end = time.monotonic() + seconds
        while True:
            while b"\n" in self.buffer:
                line, self.buffer = self.buffer.split(b"\n", 1)
                message = json.loads(line)
                self.note(message)
                if until(message):
                    return message
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except (TimeoutError, socket.timeout):
                return None
            if not data:
                return None
            self.buffer += data

    def note(self, message):
        if not isinstance(message, dict) or len(message) != 1:
            fail(self.seed, "a message is not an object with one member", message)
            return
        (kind, body), = message.items()
        number = body.get("id")
        if kind == "accepted":
            self.running.add(number)
        elif kind == "ended":
            self.counts["ends"] += 1
            if number in self.over:
                fail(self.seed, "a request ended twice", message)
            if not body.get("reason"):
                fail(self.seed, "an end has no reason", message)
            self.running.discard(number)
            self.over.add(number)
        elif kind == "event":
            self.counts["events"] += 1
            if number in self.over:
                fail(self.seed, "an event arrived after the end of its request", message)
            elif number not in self.running:
                fail(self.seed, "an event arrived before its request was accepted", message)
            elif self.background_from is not None and "fixes" in body and self.kinds[number]["kind"] == "updates" \
                    and not self.kinds[number].get("background"):
                # Moves, visits and regions work in the background; updates do so only on request.
                fail(self.seed, "a position arrived in the background without permission", message)

    def run(self):
        self.send(attach={"name": f"life-{self.seed}"})
        if self.lines(lambda message: "attached" in message) is None:
            fail(self.seed, "attach was not answered", "")
            return
        for number in range(self.random.randint(1, 4)):
            self.kinds[number] = self.random.choice(REQUESTS)
            self.send(request={"id": number, **self.kinds[number]})
            if self.lines(lambda message: "accepted" in message or "problem" in message) is None:
                fail(self.seed, "a request was not answered", self.kinds[number])
        for _ in range(self.random.randint(0, 5)):
            self.act()
        self.leave()

    def act(self):
        choice = self.random.randrange(5)
        number = self.random.randrange(len(self.kinds))
        if choice == 0 and number in self.running:
            self.send(end={"id": number})
            if self.lines(lambda message: message.get("ended", {}).get("id") == number) is None:
                fail(self.seed, "an end was not confirmed", self.kinds[number])
        elif choice == 1 and self.kinds[number]["kind"] == "updates" and number in self.running:
            self.send(command={"id": number, "accuracy": self.random.choice(["5 m", "1 km", None])})
        elif choice == 2:
            self.send(presence="background")
            # Events that the daemon sent before it processed this message may still arrive. They arrive
            # before the answer to the next message.
            self.send(end={"id": 999})
            self.lines(lambda message: message.get("problem", {}).get("id") == 999)
            self.background_from = time.monotonic()
            self.lines(lambda _: False, 0.03)
        elif choice == 3:
            self.background_from = None
            self.send(presence="foreground")
        else:
            self.lines(lambda _: False, 0.02)

    def leave(self):
        how = self.random.randrange(4)
        if how == 0:
            for number in sorted(self.running):
                self.send(end={"id": number})
            while self.running:
                if self.lines(lambda message: "ended" in message) is None:
                    fail(self.seed, "an end is missing", self.running)
                    break
        elif how == 1:
            self.socket.shutdown(socket.SHUT_WR)
            self.lines(lambda _: False, 0.05)
        elif how == 2:
            self.socket.sendall(b'{"request":{"id":77,"ki')
        self.socket.close()


def status(control):
    return subprocess.run([STINT, "status", "--control", control, "--json"], capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory(prefix="stint-lives-") as folder:
    control = os.path.join(folder, "socket")
    with open(os.path.join(folder, "lives.stint"), "w") as file:
        file.write(POLICY)
    output = open(os.path.join(folder, "output"), "w+")
    daemon = subprocess.Popen(
        [STINT, "run", "--policies", "lives.stint", "--simulate", "quiet", "--speed", "60", "--control", control],
        cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait(lambda: os.path.exists(control))
        descriptors = len(os.listdir(f"/proc/{daemon.pid}/fd"))
        totals = {"events": 0, "ends": 0}
        begin = time.monotonic()
        for seed in range(SEED, SEED + COUNT):
            life = Life(control, seed)
            life.run()
            for name in totals:
                totals[name] += life.counts[name]
        seconds = time.monotonic() - begin

        def demands():
            text = status(control)
            return [] if not text else [name for name in ("life-",) if name in text]

        if not wait(lambda: status(control) and not demands(), 10):
            fail("end", "clients are left", status(control))
        why = subprocess.run([STINT, "why", "location.gnss", "--control", control], capture_output=True, text=True).stdout
        if "life-" in why:
            fail("end", "the receiver works for a client that has left", why)
        if not wait(lambda: len(os.listdir(f"/proc/{daemon.pid}/fd")) <= descriptors, 5):
            fail("end", "descriptors are left", f"{descriptors} before, {len(os.listdir(f'/proc/{daemon.pid}/fd'))} after")
        if daemon.poll() is not None:
            fail("end", "the daemon has ended", daemon.returncode)
        print(f"{COUNT} lifetimes in {seconds:.0f} s, {totals['events']} events, {totals['ends']} ends", flush=True)
        daemon.send_signal(signal.SIGINT)
        if daemon.wait(20) != 0:
            fail("end", "the daemon did not end with 0", daemon.returncode)
    finally:
        daemon.kill()

print(f"failed: {len(FAILED)}" if FAILED else "all checks pass")
sys.exit(1 if FAILED else 0)
