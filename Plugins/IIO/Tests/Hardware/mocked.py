#!/usr/bin/python3
"""Runs a program on a machine that umockdev simulates: accelerometer, battery, mains and thermal zone.

  umockdev-wrapper mocked.py WORD...

Starts the program WORD... in the simulated /sys, with its output on standard error. Then reads one command per line
from standard input and answers each with one line: `set DEVICE ATTRIBUTE VALUE`, `get DEVICE ATTRIBUTE`,
`uevent DEVICE`, `signal NUMBER`, `wait`. At the end of the input, kills the program if it still runs.
"""
import os
import subprocess
import sys

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402  (the version comes first)

testbed = UMockdev.Testbed.new()
scan = {}
for place, name in enumerate(["accel_x", "accel_y", "accel_z", "timestamp"]):
    size = "le:s64/64>>0" if name == "timestamp" else "le:s12/16>>4"
    scan |= {f"scan_elements/in_{name}_en": "0", f"scan_elements/in_{name}_index": str(place),
             f"scan_elements/in_{name}_type": size}
attributes = {
    "iio:device0": scan | {
        "name": "chip_accel", "in_accel_scale": "0.01", "in_accel_x_raw": "1", "in_accel_y_raw": "2",
        "in_accel_z_raw": "980", "sampling_frequency": "10.000000",
        "sampling_frequency_available": "10 20 50 100", "buffer/enable": "0", "buffer/length": "2",
        "buffer/watermark": "1"},
    "BAT0": {"type": "Battery", "present": "1", "status": "Discharging", "capacity": "42"},
    "AC": {"type": "Mains", "online": "0"},
    "thermal_zone0": {"type": "cpu-thermal", "temp": "41000"},
}
subsystems = {"iio:device0": "iio", "BAT0": "power_supply", "AC": "power_supply", "thermal_zone0": "thermal"}
paths = {}
for device, values in attributes.items():
    pairs = [word for name, text in values.items() for word in (name, text + "\n")]
    paths[device] = testbed.add_device(subsystems[device], device, None, pairs, [])

# The parameter `env` is not used: umockdev has set the path of the simulated tree in the environment of the
# process, and Python's copy of the environment lacks it.
program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr, stderr=sys.stderr)
print("ready", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "set":
        testbed.set_attribute(paths[words[1]], words[2], words[3] + "\n")
        answer = "done"
    elif words[0] == "get":
        with open(os.path.join(paths[words[1]], words[2]), encoding="ascii") as file:
            answer = file.read().strip()
    elif words[0] == "uevent":
        testbed.uevent(paths[words[1]], "change")
        answer = "done"
    elif words[0] == "signal":
        program.send_signal(int(words[1]))
        answer = "done"
    elif words[0] == "wait":
        answer = str(program.wait())
    else:
        answer = "unknown"
    print(answer, flush=True)
if program.poll() is None:
    program.kill()
