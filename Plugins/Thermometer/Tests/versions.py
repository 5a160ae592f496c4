#!/usr/bin/env python3
"""Runs plugins that were made with the kits for Python and C on hosts of several versions of the protocol:
`versions.py REPOSITORY`.

The host is this program. A plugin gets the version of the host, turns on, and uses all parts of the protocol. Exits with
1 at the first frame that the version of the host does not have.
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.abspath(sys.argv[1])
TEMPLATES = os.path.join(REPOSITORY, "Sources", "StintTools", "Plugins", "Templates")
START = 1_700_000_000_000_000_000
WELCOME, MANIFEST, OPENED, APPLIED, CLOSED, BATCH, FACT = 1, 3, 5, 7, 13, 15, 17
WAKE_AT, KEYED_FACT, BYTE_BATCH = 41, 43, 45
# The kinds that a plugin sends after it has been turned on, by the minor version of the host.
KINDS = {5: [APPLIED, FACT, FACT], 6: [APPLIED, WAKE_AT, FACT, FACT], 7: [APPLIED, WAKE_AT, FACT, KEYED_FACT, FACT],
         8: [APPLIED, WAKE_AT, FACT, KEYED_FACT, BYTE_BATCH, FACT]}

IN_PYTHON = """
import sys
sys.path.insert(0, sys.argv[1])
import thermometer as stint

class Sensor(stint.Plugin):
    device, states = "test.sensor", ["off", "on"]
    channels, facts = [("value", ""), ("payload", "")], [("value", ""), ("tag.*", "")]
    slack, next = 20_000_000, None

    def apply(self, setting):
        self.next = self.now() + 40_000_000 if setting.is_on else None
        return (1, 0) if setting.is_on else (0, 0)

    def due(self):
        return self.next

    def work(self):
        self.next = None
        self.publish(0, 1)
        self.publish_key(1, "a", 2)
        self.deliver([(self.now(), 0, 1, 0, 0, 0, b"12")], stint.IMMEDIATE)
        self.publish(0, 3)

Sensor().run()
"""

IN_C = r"""
#include "stint_channel.h"

static int64_t next = INT64_MAX;

static void opened(const struct stint_entry *entries, int number) {
  (void)entries;
  (void)number;
}
static const char *apply(const struct stint_told *told, uint32_t *state, int64_t *period) {
  next = told->is_on ? stint_now() + 40000000 : INT64_MAX;
  *state = told->is_on;
  *period = 0;
  return NULL;
}
static void rest(void) {}
static int64_t due(void) { return next; }
static void work(void) {
  next = INT64_MAX;
  stint_publish(0, 1);
  stint_publish_key(1, "a", 2);
  const struct stint_sample sample = {stint_now(), 0, {1, 0, 0, 0}};
  const struct stint_bytes payload = {.count = 2, .content = {49, 50}};
  stint_deliver_bytes(&sample, NULL, 0, &payload, 1, 1, STINT_IMMEDIATE);
  stint_publish(0, 3);
}

int main(void) {
  static const char *const states[] = {"off", "on", NULL}, *const none[] = {NULL};
  static const char *const channels[] = {"value", "", "payload", "", NULL};
  static const char *const facts[] = {"value", "", "tag.*", "", NULL};
  static const struct stint_device device = {
    "test.sensor", states, none, channels, facts, opened, apply, rest, rest, due, work, NULL, NULL, NULL, NULL};
  stint_slack = 20000000;
  return stint_run(&device);
}
"""


def text(value):
    return struct.pack("<H", len(value)) + value.encode()


class Host:
    """A host of one version of the protocol."""

    def __init__(self, program, minor):
        own, other = socket.socketpair()
        self.channel, self.sent, self.held, self.received = own, 0, b"", 0
        own.settimeout(30)
        self.process = subprocess.Popen(
            program, pass_fds=[other.fileno()], env={**os.environ, "STINT_PLUGIN_CHANNEL": str(other.fileno())})
        other.close()
        self.steady = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        self.send(0, struct.pack("<HHIqq", 1, minor, 65536, START, self.steady))

    def now(self):
        return START + time.clock_gettime_ns(time.CLOCK_BOOTTIME) - self.steady

    def send(self, kind, body):
        self.channel.sendall(struct.pack("<IHHQ", 16 + len(body), kind, 0, self.sent) + body)
        self.sent += 1

    def receive(self):
        """Returns the kind of the next frame."""
        while len(self.held) < 16 or len(self.held) < struct.unpack_from("<I", self.held)[0]:
            data = self.channel.recv(65536)
            expect(data, "the plugin has ended")
            self.held += data
        length, kind, _, sequence = struct.unpack_from("<IHHQ", self.held)
        expect(sequence == self.received, f"frame {self.received} has the number {sequence}")
        self.received += 1
        self.held = self.held[length:]
        return kind


def expect(truth, sentence):
    if not truth:
        print("WRONG", sentence, flush=True)
        sys.exit(1)


def check(language, program):
    for minor, kinds in KINDS.items():
        host = Host(program, minor)
        expect([host.receive(), host.receive()] == [WELCOME, MANIFEST], "the plugin does not introduce itself")
        host.send(2, struct.pack("<qH", host.now(), 0))
        expect(host.receive() == OPENED, "the plugin does not open")
        host.send(4, struct.pack("<IIqdq", 1, 1, host.now(), 0, 0) + text(""))
        found = []
        while len(found) < len(kinds):
            found.append(host.receive())
            if found[-1] == WAKE_AT:
                time.sleep(0.05)
                host.send(22, struct.pack("<q", host.now()))
        expect(found == kinds, f"{language} on a host of 1.{minor} sends {found} in place of {kinds}")
        host.send(8, struct.pack("<q", host.now()))
        expect(host.receive() == CLOSED and host.process.wait(30) == 0, "the plugin does not close")
        print(f"ok    a plugin in {language} works on a host of version 1.{minor}", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "sensor.py")
        with open(program, "w") as file:
            file.write(IN_PYTHON)
        check("Python", [sys.executable, program, os.path.join(REPOSITORY, "Plugins", "Thermometer")])
        if shutil.which("cc"):
            for name, template in (("channel", "c-channel"), ("plugin", "c-protocol"), ("ring", "c-ring")):
                shutil.copy(os.path.join(TEMPLATES, template + ".h.template"),
                            os.path.join(folder, f"stint_{name}.h"))
            with open(program + ".c", "w") as file:
                file.write(IN_C)
            subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program + ".out", program + ".c"], check=True)
            check("C", [program + ".out"])
