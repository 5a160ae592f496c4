#!/usr/bin/env python3
"""The thermometer with one thing broken: which one, the name of this file says."""

import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint

HOW = os.path.basename(__file__).removesuffix(".py")


class Broken(stint.Thermometer):
    if HOW == "units":
        facts = [("temperature", "m")]
    if HOW == "states":
        states = ["off", "standby", "on"]
    if HOW == "impostor":
        device = "location.gnss"

    def introduce(self):
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
        elif HOW == "lie":
            self.publish(0, 1000)
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
        elif HOW == "chatter":
            while True:
                print("x" * 1000)
        else:
            super().work()


if __name__ == "__main__":
    Broken().run()
