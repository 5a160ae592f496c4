#!/usr/bin/env python3
"""The thermometer with one defect, which the name of the file selects."""

import fcntl
import mmap
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint

HOW = os.path.basename(__file__).removesuffix(".py")


class Broken(stint.Thermometer):
    ring = None
    is_gone = False
    if HOW == "woken":
        # The process has no timer; the host wakes it, at the latest after an hour.
        slack = 3_600_000_000_000
    if HOW == "woken-soon":
        slack = 50_000_000
    if HOW == "units":
        facts = [("temperature", "m")]
    if HOW == "states":
        states = ["off", "standby", "on"]
    if HOW == "impostor":
        device = "location.gnss"

    def answer(self):
        if HOW.startswith("ring") and len(self.held) >= 32 and struct.unpack_from("<H", self.held, 4)[0] == 10:
            capacity = struct.unpack_from("<I", self.held, 24)[0]
            self.ring = mmap.mmap(4, 4096 + capacity)
            self.written = 0
            self.say(27, struct.pack("<q", self.now()))
        return super().answer()

    def put(self, frame, length=None):
        """Writes a frame to the ring, which always has enough space for these frames."""
        data = struct.pack("<I", len(frame) if length is None else length) + frame
        data += bytes(-len(data) % 8)
        self.ring[4096 + self.written:4096 + self.written + len(data)] = data
        self.move(self.written + len(data))

    def move(self, written):
        self.written = written
        struct.pack_into("<Q", self.ring, 64, written)
        struct.pack_into("<Q", self.ring, 192, 0)
        os.write(5, b"!")

    def frame(self, kind, body):
        self.sequence += 1
        return struct.pack("<IHHQ", 16 + len(body), kind, 0, self.sequence - 1) + body

    def batch(self):
        now = self.now()
        self.count += 1
        return self.frame(stint.BATCH, struct.pack("<qIIqQdddd", now, 0, 1, now, self.count - 1, 20, 0, 0, 0))

    def misuse_ring(self, now):
        self.next = now + self.period
        if HOW == "ring-ahead":
            self.move(1 << 40)
        elif HOW == "ring-back":
            self.put(self.batch())
            # When the host has read these bytes, reduce the number of written bytes.
            while struct.unpack_from("<Q", self.ring, 128)[0] < self.written:
                time.sleep(0.01)
            self.move(8)
        elif HOW == "ring-length":
            self.put(self.batch(), length=0xFFFFFFFF)
        elif HOW == "ring-fact":
            self.put(self.frame(stint.FACT, struct.pack("<qIId", now, 0, 2, 20)))
        elif HOW == "ring-frame":
            self.put(b"short")
        elif HOW == "ring-skip":
            self.sequence += 1
            self.put(self.batch())
        elif HOW == "ring-lie":
            self.put(self.frame(stint.BATCH, struct.pack("<qIIqQdddd", now, 0, 1, now, 0, 1e9, float("nan"), 0, 0)))
        elif HOW == "ring-wake":
            while True:
                os.write(5, b"!")
        elif HOW == "ring-blocks":
            # The blocking mode of this end must not affect the other end of the pipe.
            for descriptor in (5, 6):
                flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
                fcntl.fcntl(descriptor, fcntl.F_SETFL, flags & ~os.O_NONBLOCK)
            os.write(5, bytes(60000))
            self.put(self.batch())
            self.publish(0, 20)
            self.put(self.batch())

    def introduce(self):
        if HOW.startswith("ring"):
            stint.MINOR = 1
        if HOW == "newer":
            stint.MAJOR = 2
        if HOW == "older":
            stint.MAJOR = 0
        if HOW == "mute":
            time.sleep(1000)
        if HOW == "garbage":
            os.write(self.channel, b"HTTP/1.1 400 Bad Request\r\n\r\n")
            time.sleep(1000)
        super().introduce()

    def apply(self, setting):
        if not setting.is_on and HOW != "on":
            return super().apply(setting)
        if HOW == "blabs":
            token = self.settings.get("token", "")
            print(f"connecting with {token} of {len(token)}", flush=True)
        if HOW == "deaf-rate":
            setting.period = 100_000_000
        if HOW == "crash":
            raise RuntimeError("the bus is on fire")
        if HOW == "hang":
            time.sleep(1000)
        if HOW == "deaf":
            self.drain = lambda: time.sleep(1000)
        if HOW == "children" and os.fork() == 0:
            time.sleep(1000)
        if HOW == "leave":
            os.close(self.channel)
            time.sleep(1000)
        if HOW == "on":
            super().apply(setting)
            return 1, 0
        return super().apply(setting)

    def work(self):
        now = self.now()
        if HOW == "flood":
            while True:
                self.publish(0, 20)
        if HOW == "samples":
            self.next = now
            self.deliver([(now, self.count + place, 20, 0, 0, 0) for place in range(1000)], stint.IMMEDIATE)
            self.count += 1000
        elif HOW.startswith("ring"):
            self.misuse_ring(now)
        elif HOW == "lie":
            self.say(stint.FACT, struct.pack("<qIIq", now, 0, 1, 1))
        elif HOW == "glitch":
            # Every second reading is out of range.
            self.next = now + self.period
            value = (21.5, 1000)[self.count % 2]
            self.publish(0, value)
            self.deliver([(now, self.count, value, 0, 0, 0)], stint.IMMEDIATE)
            self.count += 1
        elif HOW == "unplugged":
            # The device is gone for 50 ms after each third sample; the host turns it on again.
            if self.count % 3 == 2 and not self.is_gone:
                self.is_gone = True
                self.next = now + 50_000_000
                self.available(False)
                return
            if self.is_gone:
                self.is_gone = False
                self.next = None
                self.count += 1
                self.available(True)
                return
            super().work()
        elif HOW == "late":
            # Samples are delivered two seconds after they were measured.
            self.next = now + self.period
            self.old = getattr(self, "old", []) + [now]
            while self.old and self.old[0] < now - 2_000_000_000:
                self.deliver([(self.old.pop(0), self.count, 20, 0, 0, 0)], stint.IMMEDIATE)
                self.count += 1
        elif HOW == "zone":
            # The plugin uses local time, two hours ahead of UTC.
            self.offset += 7_200_000_000_000
            super().work()
        elif HOW == "draft":
            # The host ignores this unknown kind and processes the next frame.
            self.say(0x8001, b"whatever it means")
            super().work()
        elif HOW == "kind":
            self.say(99, struct.pack("<q", now))
        elif HOW == "nan":
            self.publish(0, float("nan"))
        elif HOW == "future":
            self.say(stint.FACT, struct.pack("<qIId", now + 3_600_000_000_000, 0, 2, 20))
        elif HOW == "past":
            self.say(stint.FACT, struct.pack("<qIId", now - 3_600_000_000_000, 0, 2, 20))
        elif HOW == "order":
            self.deliver([(now, 1, 20, 0, 0, 0), (now, 0, 20, 0, 0, 0)], stint.IMMEDIATE)
        elif HOW == "sequence":
            self.sequence += 1
            self.publish(0, 20)
        elif HOW == "place":
            self.publish(7, 20)
        elif HOW == "size":
            os.write(self.channel, struct.pack("<IHHQ", 1 << 31, stint.FACT, 0, self.sequence))
        elif HOW == "refused":
            while True:
                try:
                    os.chmod("/usr", 0o777)
                except OSError:
                    pass
        elif HOW == "chatter":
            while True:
                print("x" * 1000)
        else:
            super().work()


if __name__ == "__main__":
    Broken().run()
