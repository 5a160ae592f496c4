#!/usr/bin/env python3
"""Tests that a daemon continues while a file, a disk or the reader of its output blocks: `stuck.py STINT`.

The script takes about 40 s. It prints one line for each check. The exit code is 1 when a check fails."""
import json, os, shutil, signal, subprocess, sys, tempfile, time

STINT = os.path.abspath(sys.argv[1])
CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SLOW = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
// Opening a file whose path contains $SLOW takes 20 s once the file $SLOW_SWITCH exists.
static void hold(const char *path) {
  const char *slow = getenv("SLOW"), *on = getenv("SLOW_SWITCH");
  if (!slow || !on || !path || !strstr(path, slow) || access(on, F_OK) != 0) return;
  struct timespec rest = {20, 0};
  while (nanosleep(&rest, &rest)) {}
}
#define OPEN(name) int name(const char *path, int flags, ...) { \
  va_list list; va_start(list, flags); int mode = va_arg(list, int); va_end(list); \
  hold(path); return openat(AT_FDCWD, path, flags, mode); }
OPEN(open)
OPEN(open64)
// fsync and fdatasync wait until the file $SLOW_DISK is removed.
static int wait_for_disk(void) {
  const char *slow = getenv("SLOW_DISK");
  struct timespec rest = {0, 20000000};
  while (slow && access(slow, F_OK) == 0) nanosleep(&rest, NULL);
  return 0;
}
int fsync(int file) { return wait_for_disk(); }
int fdatasync(int file) { return wait_for_disk(); }
"""
POLICY = """policy "stuck" version 1
use motion.accelerometer as accel
rule low "paused with a low battery" while battery.level below 20 % release 25 % { pause accel }
"""
problems = 0


def check(name, is_good, figure):
    global problems
    problems += not is_good
    print("%-66s %s  %s" % (name, "ok" if is_good else "FAILED", figure), flush=True)


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def tree(root):
    chip = root + "/sys/bus/iio/devices/iio:device0/"
    put(chip + "name", "test_accel\n")
    for axis in "xyz":
        put(chip + "in_accel_%s_raw" % axis, "100\n")
    put(chip + "in_accel_scale", "0.01\n")
    put(chip + "sampling_frequency", "10\n")
    battery = root + "/sys/class/power_supply/BAT0/"
    put(battery + "uevent", "POWER_SUPPLY_NAME=BAT0\nPOWER_SUPPLY_TYPE=Battery\nPOWER_SUPPLY_STATUS=Discharging\n"
        "POWER_SUPPLY_CAPACITY=42\n")
    os.makedirs(root + "/dev", exist_ok=True)


def ask(control, what="status"):
    start = time.monotonic()
    try:
        done = subprocess.run([STINT, what, "--control", control], capture_output=True, text=True, timeout=8)
        return done.stdout, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return "", 8.0


def stuck_file(root, library, part, from_start):
    shutil.rmtree(root, ignore_errors=True)
    tree(root)
    site = {"stint_site": 1, "title": "stuck", "time_zone": "UTC+0",
            "plugins": [{"plugin": "iio", "with": {"sensor": "accelerometer", "sys": root + "/sys", "dev": root + "/dev"}},
                        {"plugin": "power_supply", "with": {"sys": root + "/sys"}}],
            "clients": [{"name": "app", "demands": [
                {"target": "motion.accelerometer", "with": {"rate": "1 Hz"}}]}]}
    put(root + "/site.json", json.dumps(site))
    put(root + "/policies/stuck.stint", POLICY)
    control, switch = root + "/c", root + "/on"
    environment = dict(os.environ, LD_PRELOAD=library, SLOW=part, SLOW_SWITCH=switch)
    if from_start: put(switch, "")
    with open(root + "/err", "w") as err, open(root + "/out", "w") as out:
        daemon = subprocess.Popen(
            [STINT, "run", "--site", root + "/site.json", "--policies", root + "/policies", "--control", control],
            stdout=out, stderr=err, env=environment)
    for _ in range(100):
        if os.path.exists(control): break
        time.sleep(0.1)
    time.sleep(2)
    put(switch, "")
    time.sleep(5)
    text, took = ask(control)
    check("%s blocks: `status` answers" % part, "motion.accelerometer" in text, "%.2f s" % took)
    said = open(root + "/err").read()
    check("%s blocks: the fault names the file" % part, part in said and "takes longer than 2 s" in said,
          said[-160:].replace("\n", " | "))
    start = time.monotonic()
    daemon.send_signal(signal.SIGINT)
    try:
        daemon.wait(10)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
    took = time.monotonic() - start
    check("%s blocks: SIGINT ends the run" % part, took < 3, "%.2f s" % took)


def slow_disk(root, library):
    shutil.rmtree(root, ignore_errors=True)
    control, switch = root + "/c", root + "/slow"
    put(switch, "")
    environment = dict(os.environ, LD_PRELOAD=library, SLOW_DISK=switch)
    daemon = subprocess.Popen(
        [STINT, "run", "--policies", CHECKOUT + "/policies/hiking.stint", "--simulate", "day-hike", "--speed", "100",
         "--control", control, "--state", root + "/state", "--journal", root + "/journal"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    for _ in range(100):
        if os.path.exists(control): break
        time.sleep(0.1)
    slowest, times = 0, set()
    for _ in range(10):
        text, took = ask(control)
        slowest = max(slowest, took)
        times.add(text.split("\n")[0])
        time.sleep(0.1)
    check("the disk blocks: `status` answers, and time advances", slowest < 1 and len(times) == 10,
          "%.2f s" % slowest)
    os.unlink(switch)
    daemon.terminate()
    daemon.wait(10)
    check("the disk works again: the state is saved", os.path.exists(root + "/state"), "")


def backlog(root):
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(root)
    control = root + "/c"
    daemon = subprocess.Popen(
        [STINT, "run", "--policies", CHECKOUT + "/policies/hiking.stint", "--simulate", "day-hike", "--speed", "1000000",
         "--control", control, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        if os.path.exists(control): break
        time.sleep(0.01)
    text, took = ask(control)
    check("a daemon that is behind answers before it catches up", "day-hike, " in text and "18:00:00" not in text
          and took < 1, "%.2f s, %s" % (took, text.split("\n")[0]))
    daemon.kill()
    daemon.wait()


def unread_output():
    reader, writer = os.pipe()
    daemon = subprocess.Popen(
        [STINT, "run", "--policies", CHECKOUT + "/policies/hiking.stint", "--simulate", "day-hike", "--speed", "3600"],
        stdout=writer, stderr=subprocess.DEVNULL)
    os.close(writer)
    time.sleep(5)
    start = time.monotonic()
    daemon.terminate()
    try:
        daemon.wait(10)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()
    took = time.monotonic() - start
    check("SIGTERM ends a daemon whose output is not read", took < 1.5, "%.2f s" % took)
    os.close(reader)


with tempfile.TemporaryDirectory() as folder:
    put(folder + "/slow.c", SLOW)
    library = folder + "/slow.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, folder + "/slow.c"], check=True)
    # The battery is read only once a minute, so its file must block from the start.
    stuck_file(folder + "/t", library, "in_accel_x_raw", False)
    stuck_file(folder + "/t", library, "BAT0/uevent", True)
    slow_disk(folder + "/t", library)
    backlog(folder + "/t")
    unread_output()
sys.exit(1 if problems else 0)
