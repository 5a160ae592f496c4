#!/usr/bin/env python3
"""Tests the reports of `stint run` about pushes, frequent requests, site edits and a missing folder for the
state file.

usage: requests.py STINT

The exit code is 1 when a check fails. No check needs a network or special permissions.
"""
import json
import os
import subprocess
import sys
import threading
import time

import files
from files import POLICY, STINT, ask, check, folder_of, said, site_of, start, stop, wait, write

SIZE = 4 << 20


def policy_of(size):
    """Returns a policy with this number of bytes."""
    text = POLICY % 2
    line = "# " + "x" * 97 + "\n"
    text += line * ((size - len(text)) // len(line))
    return text + "#" * (size - len(text) - 1) + "\n"


def pushed(folder, text):
    """Pushes a text with `stint push`. Returns the exit code and the output of the command."""
    write(folder + "/pushed.stint", text)
    done = subprocess.run([STINT, "push", "pushed.stint", "--control", "socket"], cwd=folder, capture_output=True,
                          text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


folder = folder_of()
words = ["run", "--site", "site.json", "--policies", "policies", "--control", "socket", "--state", "missing/state"]
try:
    done = subprocess.run([STINT, *words], cwd=folder, capture_output=True, text=True, timeout=5)
except subprocess.TimeoutExpired as late:
    done = subprocess.CompletedProcess(words, 0, "", (late.stderr or b"").decode())
check("a state file in a missing folder is an error", done.returncode != 0 and "its folder missing does not exist" in done.stderr,
      [done.returncode, done.stderr])

site = json.loads(site_of(1))
site["clients"] = [{"name": "logger", "transfers": [{"target": "radio.r0", "first": "1 h", "every": "1 ms", "count": 3, "up": "1 kB"}]}]
write(folder + "/site.json", json.dumps(site))
daemon = start(folder)
wait(lambda: os.path.exists(folder + "/socket") and files.is_serving(folder))
check("transfers every millisecond get a warning with their number per second",
      "clients[0].transfers[0]: the interval 1 ms starts 1000 transfers per second" in said(folder), said(folder))

code, text = pushed(folder, POLICY % 2)
check("a push is accepted", code == 0, text)
user = "requested by user %d, %s, process " % (os.getuid(), os.path.realpath(STINT))
check("the log names the user and the program that pushed", wait(lambda: user in said(folder)), said(folder))
# This program ends at once after its request.
text = json.dumps({"ask": "push", "file": "files.stint", "text": POLICY % 3}) + "\n"
script = "import socket,sys; s = socket.socket(socket.AF_UNIX); s.connect('socket'); s.sendall(sys.argv[1].encode())"
hasty = "requested by user %d, %s, process " % (os.getuid(), os.path.realpath(sys.executable))
# The daemon reads the path when it accepts the connection. On a busy machine, the program may have ended before.
for attempt in range(5):
    subprocess.run([sys.executable, "-S", "-c", script, text], cwd=folder)
    if wait(lambda: hasty in said(folder), 3):
        break
check("the log names a program that ends at once after its push, in one of five attempts",
      hasty in said(folder), said(folder))
code, text = pushed(folder, "policy nonsense")
check("a wrong push is refused", code != 0, text)
check("the log names the user and the program of a refused push", wait(lambda: said(folder).count(user) == 2), said(folder))
journal = b"".join(open(os.path.join(folder, "journal", name), "rb").read() for name in os.listdir(folder + "/journal"))
check("the journal names the user and the program that pushed", user[len("requested by "):].encode() in journal)
results, worst, began = [], 0.0, time.monotonic()
thread = threading.Thread(target=lambda: results.append(pushed(folder, policy_of(SIZE))))
thread.start()
while thread.is_alive():
    worst = max(worst, ask(folder)[1])
    time.sleep(0.02)
check("a push of the largest size is accepted", results[0][0] == 0, results[0][1][-500:])
# A part of the push must run on the thread that answers. The limit is relative, because debug builds are slow.
check("during the push, status is answered within a third of the time of the push",
      worst < (time.monotonic() - began) / 3,
      [worst, time.monotonic() - began])
code, text = pushed(folder, policy_of(SIZE + 1))
check("a larger push is refused, and the answer names the limit", code != 0 and "4 MiB" in text, text[-500:])
text, _ = ask(folder, "push", 60, file="pushed.stint", text="#" * (SIZE + 1))
check("a longer text in a request is refused, and the answer names the limit",
      "is larger than 4 MiB" in text, text[-300:])
text, _ = ask(folder, "push", 60, file="pushed.stint", text="#" * (12 << 20))
check("a request of 12 MiB is refused, and the answer names the limit",
      "the request is longer than 9 MiB; a policy may have 4 MiB" in text, text[-300:])
check("status is answered after that", files.is_serving(folder), ask(folder)[0])

site["clients"][0]["transfers"][0]["every"] = "2 s"
write(folder + "/site.json", json.dumps(site))
check("an edit of the clients waits for a restart, and the log reports this",
      wait(lambda: "the new value of “clients” takes effect after a restart" in said(folder)), said(folder))
stop(daemon)

# A rule holds the fixes longer than the request waits.
phone = folder_of()
write(phone + "/hold.stint", 'policy "hold" version 1\nrule slow always { batch location.gnss until 5 min }\n')
daemon = subprocess.Popen(
    [STINT, "run", "--policies", "hold.stint", "--simulate", "quiet", "--speed", "60", "--control", "socket"],
    cwd=phone, stdout=open(phone + "/output", "w"), stderr=subprocess.STDOUT)
wait(lambda: files.is_serving(phone))
done = subprocess.run([STINT, "request", "fix", "--accuracy", "50m", "--timeout", "2min", "--control", "socket"], cwd=phone,
                      capture_output=True, text=True, timeout=60)
check("a request for a fix that stays without an answer ends with the exit code 1", done.returncode == 1, done)
check("the answer names the rule that holds the fixes",
      "the rule hold/slow holds the fixes until 5 min" in done.stdout, done)
stop(daemon)
print("failed: " + ", ".join(files.FAILED) if files.FAILED else "all checks pass")
sys.exit(1 if files.FAILED else 0)
