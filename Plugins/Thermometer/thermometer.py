#!/usr/bin/env python3
"""A thermometer as a plugin of Stint, in a separate process; it needs only Python's standard library.

The kernel exposes temperatures as files with thousandths of a degree: /sys/class/thermal/thermal_zone0/temp.
Sources/CStintPlugin/PROTOCOL.md describes the protocol. The code before `Thermometer` works for any device.
"""

import json
import os
import select
import struct
import time

MAJOR, MINOR = 1, 8
HELLO, OPEN, APPLY, DRAIN, CLOSE, CARRY, ABANDON, ORDER, FOR_DEVICE, READ, WAKE = 0, 2, 4, 6, 8, 12, 14, 16, 18, 20, 22
WELCOME, MANIFEST, OPENED, APPLIED, REFUSED, DRAINED, CLOSED = 1, 3, 5, 7, 9, 11, 13
BATCH, FACT, STATE, EVENT, AVAILABLE, FAULT = 15, 17, 19, 21, 23, 25
CARRIED, ABANDONED, REPORT, WIDE_BATCH, OF_DEVICE, PUBLISHED, WAKE_AT = 29, 31, 33, 35, 37, 39, 41
KEYED_FACT, BYTE_BATCH = 43, 45
# The first minor version of the protocol with each kind of frame. Frames that an older host does not know are not sent.
SINCE = {CARRIED: 2, ABANDONED: 2, REPORT: 2, WIDE_BATCH: 4, PUBLISHED: 6, WAKE_AT: 6, KEYED_FACT: 7, BYTE_BATCH: 8}
IMMEDIATE, FULL, ENDED = 0, 1, 2
LARGEST_FRAME = 65536


def text(value):
    """Encodes a string: two bytes of length, then UTF-8."""
    data = value.encode()[:1024].decode(errors="ignore").encode()
    return struct.pack("<H", len(data)) + data


class Body:
    """Reads values from the body of a frame, in order."""

    def __init__(self, data):
        self.data, self.next = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.next)
        self.next += struct.calcsize("<" + form)
        return values if len(values) > 1 else values[0]

    def text(self):
        count = self.take("H")
        self.next += count
        return self.data[self.next - count:self.next].decode()

    def rest(self):
        return self.data[self.next:]


class Setting:
    """The complete setting of the device."""

    def __init__(self, body):
        self.token, flags, _, accuracy, period = body.take("IIqdq")
        activity = body.text()
        self.is_on, self.is_holding = bool(flags & 1), bool(flags & 2)
        self.accuracy = accuracy if flags & 4 else None
        self.period = period if flags & 8 else None
        self.activity = activity if flags & 16 else None
        self.keeps_newest = bool(flags & 32)
        # The value of each attribute by its name: a word, True, False, or a number in base units.
        self.attributes = {}
        for _ in range(body.take("H") if flags & 64 else 0):
            name, word, number = body.text(), body.text(), body.take("d")
            self.attributes[name] = {"": number, "true": True, "false": False}.get(word, word)


class Plugin:
    """The plugin's end of the channel. A device overrides the methods that handle messages."""

    device, states, events, channels, facts = "", [], [], [], []
    # The time in nanoseconds by which `work` may be late. If it is above 0, the process has no timer of its own:
    # Stint wakes it together with other requests, or when this time is over.
    slack = 0

    def __init__(self):
        self.channel = int(os.environ.get("STINT_PLUGIN_CHANNEL", "3"))
        self.sequence = 0
        self.held = b""
        self.offset = 0
        self.settings = {}
        # The instant for which Stint was last requested to wake the process.
        self.announced = None
        # The minor version of the protocol of the host.
        self.minor = 0
        # The process that the device shares with other devices, and the number of the device in this process.
        self.process, self.number = None, 0

    # Methods that a device overrides.

    def opened(self):
        """Called when the settings of the site file are known; nothing is powered yet."""

    def apply(self, setting):
        """Applies the setting. Returns the index of the state and the sample period in nanoseconds (0 for none)."""
        raise NotImplementedError

    def drain(self):
        """Delivers the held samples."""

    def read_facts(self):
        """Publishes the facts of a source that its manifest marks with `read`."""

    def carry(self, number, up, down):
        """Starts a transfer of a radio, after the transfers in progress."""

    def abandon(self, number):
        """Stops a transfer of a radio. Returns the number of transferred bytes; None when it was complete."""

    def order(self, order):
        """Handles an order to a carrier. The order is a dictionary; PROTOCOL.md describes its members."""

    def close(self):
        """Turns everything off and delivers the held samples."""

    def due(self):
        """Returns the instant of the next call of `work`; None for never."""
        return None

    def work(self):
        """Called at the instant that `due` returned."""

    # Messages to Stint.

    def now(self):
        """Returns the host's time, in nanoseconds."""
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) + self.offset

    def say(self, kind, body=b""):
        if SINCE.get(kind, 0) > (self.process or self).minor:
            return None
        if self.process:
            return self.process.say(OF_DEVICE, struct.pack("<HHI", self.number, kind, 0) + body)
        data = struct.pack("<IHHQ", 16 + len(body), kind, 0, self.sequence) + body
        self.sequence += 1
        while data:
            data = data[os.write(self.channel, data):]
        return None

    def report(self, state, period=0):
        self.say(STATE, struct.pack("<qIq", self.now(), state, period))

    def publish(self, fact, number):
        self.say(FACT, struct.pack("<qIId", self.now(), fact, 2, number))

    def withdraw(self, fact):
        self.say(FACT, struct.pack("<qIIq", self.now(), fact, 0, 0))

    def publish_key(self, family, key, number):
        """Publishes the fact of a family with this key. `family` is the index of the family in `facts`; a key has 1 to
        64 ASCII letters, digits and underscores."""
        self.say(KEYED_FACT, struct.pack("<qIId", self.now(), family, 2, number) + text(key))

    def withdraw_key(self, family, key):
        """Reports that the fact with this key is no longer known. Another key can then take its place."""
        self.say(KEYED_FACT, struct.pack("<qIIq", self.now(), family, 0, 0) + text(key))

    def deliver(self, samples, reason):
        """Delivers samples, which are tuples: instant, sequence number from 0, then a value for each channel of numbers
        or words, at least four, then a `bytes` object for each channel of bytes. The value of a channel of words is the
        index of the word."""
        if not samples:
            return
        blobs = sum(isinstance(value, bytes) for value in samples[0])
        further = max(len(self.channels) - blobs - 4, 0)
        form = struct.Struct(f"<qQ{4 + further}d")
        most = (LARGEST_FRAME - 44) // (form.size + 256 * blobs)
        for start in range(0, len(samples), most):
            part = samples[start:start + most]
            head = struct.pack("<qII", self.now(), reason, len(part))
            data = b"".join(form.pack(*sample[:6 + further]) + b"".join(
                bytes([len(value)]) + value for value in sample[6 + further:]) for sample in part)
            if further or blobs:
                self.say(BYTE_BATCH if blobs else WIDE_BATCH, head + struct.pack("<HH", further, blobs) + data)
            else:
                self.say(BATCH, head + data)

    def available(self, is_there):
        self.say(AVAILABLE, struct.pack("<qB", self.now(), is_there))

    def fault(self, sentence):
        self.say(FAULT, struct.pack("<q", self.now()) + text(sentence))

    def carried(self, number):
        self.say(CARRIED, struct.pack("<qq", self.now(), number))

    def tell(self, report, order, **members):
        """Sends the report of a carrier about the attempt of an order."""
        members = {"report": report, "key": order["key"], "attempt": order["attempt"], **members}
        self.say(REPORT, struct.pack("<q", self.now()) + json.dumps(members).encode())

    # Messages from Stint.

    def run(self):
        while True:
            due = self.due()
            wait = None if due is None else max(due - self.now(), 0) / 1e9
            if self.slack and wait and self.minor >= 6:
                if due != self.announced:
                    self.announced = due
                    self.say(WAKE_AT, struct.pack("<qqq", self.now(), due, due + self.slack))
                wait = None
            if select.select([self.channel], [], [], wait)[0]:
                data = os.read(self.channel, 65536)
                if not data:
                    return
                self.held += data
                while self.answer():
                    pass
            elif due is not None:
                self.work()

    def answer(self):
        """Answers one frame. Returns False when no complete frame has arrived."""
        if len(self.held) < 16:
            return False
        length, kind, _, _ = struct.unpack_from("<IHHQ", self.held)
        if len(self.held) < length:
            return False
        body = Body(self.held[16:length])
        self.held = self.held[length:]
        self.handle(kind, body)
        return True

    def handle(self, kind, body):
        if kind == HELLO:
            _, self.minor, _, now, steady = body.take("HHIqq")
            self.offset = now - steady
            self.introduce()
        elif kind == WAKE:
            # The process needs a new wake-up, even when this wake-up came too early.
            self.announced = None
        elif kind == OPEN:
            body.take("q")
            for _ in range(body.take("H")):
                key, form = body.text(), body.take("B")
                self.settings[key] = body.text() if form == 0 else body.take("B" if form == 3 else "q")
            self.opened()
            self.say(OPENED, struct.pack("<q", self.now()))
        elif kind == APPLY:
            setting = Setting(body)
            state, period = self.apply(setting)
            self.say(APPLIED, struct.pack("<qIIq", self.now(), setting.token, state, period))
        elif kind == DRAIN:
            token, _, _ = body.take("IIq")
            self.drain()
            self.say(DRAINED, struct.pack("<qI", self.now(), token))
        elif kind == READ:
            token, _, _ = body.take("IIq")
            self.read_facts()
            self.say(PUBLISHED, struct.pack("<qI", self.now(), token))
        elif kind == CARRY:
            self.carry(*body.take("qqqq")[1:])
        elif kind == ABANDON:
            number = body.take("qq")[1]
            count = self.abandon(number)
            if count is not None:
                self.say(ABANDONED, struct.pack("<qqq", self.now(), number, count))
        elif kind == ORDER:
            body.take("q")
            self.order(json.loads(body.rest()))
        elif kind == CLOSE:
            self.close()
            self.say(CLOSED, struct.pack("<q", self.now()))
            raise SystemExit(0)

    def introduce(self):
        self.say(WELCOME, struct.pack("<HH", MAJOR, MINOR))
        self.describe()

    def describe(self):
        body = text(self.device)
        for names in (self.states, self.events):
            body += struct.pack("<H", len(names)) + b"".join(text(name) for name in names)
        for pairs in (self.channels, self.facts):
            body += struct.pack("<H", len(pairs)) + b"".join(text(name) + text(unit) for name, unit in pairs)
        self.say(MANIFEST, body)


class Process(Plugin):
    """A process with several devices, each a `Plugin`, in the order of `manifests` in plugin.json:
    `Process(Accelerometer(), Gyro()).run()`."""

    def __init__(self, *devices):
        super().__init__()
        self.devices = devices
        for number, device in enumerate(devices):
            device.process, device.number = self, number

    def describe(self):
        for device in self.devices:
            device.offset = self.offset
            device.describe()

    def opened(self):
        for device in self.devices:
            device.settings = self.settings
            device.opened()

    def close(self):
        for device in self.devices:
            device.close()

    def due(self):
        return min((due for due in (device.due() for device in self.devices) if due is not None), default=None)

    def work(self):
        for device in self.devices:
            due = device.due()
            if due is not None and due <= self.now():
                device.work()

    def handle(self, kind, body):
        if kind == FOR_DEVICE:
            number, kind, _ = body.take("HHI")
            self.devices[number].handle(kind, body)
        else:
            super().handle(kind, body)


class Thermometer(Plugin):
    device = "ambient.temperature"
    states = ["off", "on"]
    channels = [("temperature", "C")]
    facts = [("temperature", "C")]
    fifo = 600

    def __init__(self):
        super().__init__()
        self.period = None
        self.is_holding = False
        self.next = None
        self.count = 0
        self.samples = []

    def opened(self):
        self.path = self.settings.get("source", "/sys/class/thermal/thermal_zone0/temp")

    def apply(self, setting):
        if self.samples and not (setting.is_on and setting.is_holding):
            self.hand_over(ENDED)
        self.is_holding = setting.is_holding
        if not setting.is_on:
            self.next = None
            return 0, 0
        self.period = max(setting.period or 10_000_000_000, 100_000_000)
        if self.next is None or self.next > self.now() + self.period:
            self.next = self.now()
        return 1, self.period

    def drain(self):
        self.hand_over(ENDED)

    def close(self):
        self.next = None
        self.hand_over(ENDED)

    def due(self):
        return self.next

    def work(self):
        self.next = self.now() + self.period
        try:
            with open(self.path) as file:
                degrees = int(file.read()) / 1000
        except (OSError, ValueError) as error:
            self.fault(f"{self.path} cannot be read: {error}")
            self.withdraw(0)
            return
        self.samples.append((self.now(), self.count, degrees, 0, 0, 0))
        self.count += 1
        self.publish(0, degrees)
        if not self.is_holding:
            self.hand_over(IMMEDIATE)
        elif len(self.samples) >= self.fifo:
            self.hand_over(FULL)

    def hand_over(self, reason):
        samples, self.samples = self.samples, []
        if samples:
            self.deliver(samples, reason)


if __name__ == "__main__":
    Thermometer().run()
