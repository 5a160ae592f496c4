#!/usr/bin/env python3
"""Runs the program on a site, with an unmodified gpsd and a simulated receiver on a pseudo terminal.

  hardware.py STINT REPOSITORY [walk | closes | killed | together | recorded]...

`walk` ends when the watch is closed; `closes` also waits until gpsd closes the port, which takes a minute. Without
a name, all parts except `walk` run.

When STINT_RECEIVER_LOGS is a folder of recorded logs, the logs of u-blox receivers are played too. Standard library
only; exits with 1 at the first failure.
"""
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

program, repository = sys.argv[1], sys.argv[2]
here = os.path.dirname(os.path.abspath(__file__))
folder = tempfile.mkdtemp(prefix="stint-hardware-")
os.chmod(folder, 0o755)
children = []


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(name, *words):
    path = os.path.join(folder, name)
    with open(path, "wb") as output:
        child = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT)
    children.append(child)
    return child, path


def text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def until(what, condition, seconds):
    begin = time.monotonic()
    while not condition():
        if time.monotonic() - begin > seconds:
            raise SystemExit(f"hardware: this did not occur within {seconds} s: {what}")
        time.sleep(0.05)
    print(f"  {time.monotonic() - begin:5.1f} s  {what}", flush=True)


def watchers(port):
    """Returns the number of connections to gpsd's port."""
    count = 0
    for line in text("/proc/net/tcp").splitlines()[1:]:
        words = line.split()
        count += words[1].endswith(f":{port:04X}") and words[3] == "01"
    return count


class Stage:
    """A receiver, a gpsd that uses this receiver, and the program with the hiking policy."""

    def __init__(self, name, log=None, pause="1.0"):
        print(f"{name}:", flush=True)
        self.name, self.port = name, free_port()
        self.tty = os.path.join(folder, name + ".tty")
        words = [sys.executable, os.path.join(here, "receiver.py"), self.tty] + ([log, pause] if log else [])
        self.receiver, self.wire = start(name + ".wire", *words)
        until("the receiver is there", lambda: os.path.exists(self.tty), 10)
        self.start_daemon()
        with open(os.path.join(repository, "Plugins/Gpsd/site.json"), encoding="utf-8") as file:
            site = json.load(file)
        site["plugins"][0]["with"] = {"port": self.port, "retry": "2 s"}
        self.site = os.path.join(folder, name + ".json")
        with open(self.site, "w", encoding="utf-8") as file:
            json.dump(site, file)
        self.policy = os.path.join(folder, name + ".stint")
        self.original = text(os.path.join(repository, "policies/hiking.stint"))
        self.write(self.original)
        self.journal = os.path.join(folder, name + ".journal")

    def start_daemon(self):
        self.daemon, _ = start(self.name + ".gpsd", "gpsd", "-N", "-S", str(self.port), self.tty)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0
        until("gpsd listens", listens, 10)

    def write(self, policy):
        with open(self.policy + ".new", "w", encoding="utf-8") as file:
            file.write(policy)
        os.replace(self.policy + ".new", self.policy)

    def add(self, rule):
        """Edits the policy during the run: adds a rule before the first one."""
        self.write(self.original.replace("rule hold ", rule + "rule hold "))

    def run(self):
        self.stint, self.output = start(
            self.name + ".out", program, "run", "--site", self.site, "--policies", self.policy, "--journal",
            self.journal)
        # The program detects edits only after it has printed this line.
        until("the program is ready", lambda: "Ctrl-C ends" in text(self.output), 60)

    def end(self, number=signal.SIGINT):
        self.stint.send_signal(number)
        until(f"{signal.Signals(number).name} ends the program", lambda: self.stint.poll() is not None, 10)
        assert self.stint.returncode == 0, text(self.output)
        assert "every device is off" in text(self.output), text(self.output)
        until("no client watches", lambda: watchers(self.port) == 0, 5)

    def has_fix(self):
        """Returns whether gpsd has a fix. Queries gpsd as another client with a short connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as client:
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            heard = b""
            end = time.monotonic() + 3
            while time.monotonic() < end:
                try:
                    piece = client.recv(65536)
                except TimeoutError:
                    return False
                heard += piece
                if not piece or b'"mode":3' in heard or b'"mode":2' in heard:
                    return bool(piece)
        return False

    def why(self, device="location.gnss"):
        words = [program, "why", device, "--journal", self.journal]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    def close(self):
        for child in (self.daemon, self.receiver):
            child.kill()
            child.wait()


def samples(output):
    for line in text(output).splitlines():
        if "trail-app, samples" in line:
            return int(line.split()[-1])
    return 0


class Mock:
    """Runs the program on a machine that umockdev simulates, and sends commands to `mocked.py`."""

    def __init__(self, name, *words):
        self.path = os.path.join(folder, name + ".out")
        mocked = os.path.join(repository, "Plugins/IIO/Tests/Hardware/mocked.py")
        with open(self.path, "wb") as output:
            self.child = subprocess.Popen(
                ["umockdev-wrapper", "/usr/bin/python3", mocked, *words], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=output, text=True)
        children.append(self.child)
        assert self.child.stdout.readline() == "ready\n", text(self.path)

    def ask(self, *words):
        self.child.stdin.write(" ".join(words) + "\n")
        self.child.stdin.flush()
        return self.child.stdout.readline().strip()


def can_mock():
    """Returns whether umockdev is installed, with its library for the system's Python."""
    words = ["/usr/bin/python3", "-c", "import gi; gi.require_version('UMockdev', '1.0')"]
    try:
        with open(os.devnull, "w") as nothing:
            subprocess.run(["umockdev-wrapper", "true"], check=True, stderr=nothing)
            subprocess.run(words, check=True, stderr=nothing)
        return True
    except (OSError, subprocess.CalledProcessError):
        return False


def scans(count, start, z):
    """Returns scans, 20 ms apart. A scan consists of three axes, each with 12 bits in 16, and a timestamp."""
    return b"".join(
        struct.pack("<hhhxxq", 1 << 4, 2 << 4, z(place) << 4, (start + place) * 20_000_000)
        for place in range(count))


def everything_together(number):
    """Runs the hiking policy with gpsd, an accelerometer and a battery, until a signal ends the program."""
    stage = Stage("together" + signal.Signals(number).name)
    with open(os.path.join(repository, "Plugins/IIO/site.json"), encoding="utf-8") as file:
        site = json.load(file)
    nodes = os.path.join(folder, stage.name + ".dev")
    os.mkdir(nodes)
    os.mkfifo(os.path.join(nodes, "iio:device0"))
    site["plugins"][0]["with"] = {"port": stage.port, "retry": "2 s"}
    site["plugins"][1]["with"] |= {"dev": nodes, "held_latency": "1 s"}
    with open(stage.site, "w", encoding="utf-8") as file:
        json.dump(site, file)
    mock = Mock(
        stage.name, program, "run", "--site", stage.site, "--policies", stage.policy, "--journal",
        stage.journal)

    def says(*words):
        return all(word in text(mock.path) for word in words)

    until("the program is ready", lambda: says("Ctrl-C ends"), 60)

    until("gpsd is watched", lambda: watchers(stage.port) == 1, 20)
    until("the accelerometer's buffer is on", lambda: mock.ask("get", "iio:device0", "buffer/enable") == "1", 10)
    assert mock.ask("get", "iio:device0", "sampling_frequency") == "50"
    assert mock.ask("get", "iio:device0", "buffer/watermark") == "50"
    assert mock.ask("get", "iio:device0", "scan_elements/in_accel_x_en") == "1"
    stage.add('rule rest "paused after 2 s at rest"\nwhile motion.activity is still for 2 s {\n  pause gps\n}\n\n')
    with open(os.path.join(nodes, "iio:device0"), "wb", buffering=0) as node:
        node.write(scans(200, 0, lambda place: 980))
        until("standstill pauses the receiver", lambda: says("[hiking/rest]"), 30)
        until("the receiver's watch is closed", lambda: watchers(stage.port) == 0, 20)
        node.write(scans(300, 200, lambda place: 700 if place // 10 % 2 else 1260))
        until("steps wake the receiver again", lambda: watchers(stage.port) == 1, 20)
        mock.ask("set", "BAT0", "capacity", "14")
        mock.ask("uevent", "BAT0")
        until("a low battery that the kernel reports saves energy", lambda: says("[hiking/saver]"), 10)
        for device, words in [
                ("location.gnss", ["demanded by", "trail-app", "hiking/saver"]),
                ("motion.accelerometer", ["demanded by", "step-counter", "on, sampling"])]:
            until(f"why {device} explains its state", lambda: all(word in stage.why(device) for word in words), 30)
            print("  " + stage.why(device).splitlines()[0], flush=True)
        mock.ask("signal", str(int(number)))
        assert mock.ask("wait") == "0", text(mock.path)
    assert says("every device is off"), text(mock.path)
    assert mock.ask("get", "iio:device0", "buffer/enable") == "0"
    until("no client watches", lambda: watchers(stage.port) == 0, 5)
    mock.child.stdin.close()
    mock.child.wait()
    stage.close()


def walk(closes=False):
    stage = Stage("walk")
    assert "open" not in text(stage.wire).split(), "gpsd opened the port before a client watched"
    stage.run()
    until("the port is opened", lambda: "open" in text(stage.wire).split(), 10)
    begin = time.monotonic()
    until("there is a fix", stage.has_fix, 40)
    time.sleep(6)  # to collect more fixes
    stage.add('rule halt "off for 5 min after 3 s"\nwhen gps.on for 3 s {\n  stop gps for 5 min\n}\n\n')
    until("a rule stops gps", lambda: "stopped" in text(stage.output) and "[hiking/halt]" in text(stage.output), 20)
    until("the receiver's linger time has expired", lambda: "set location.gnss off" in text(stage.output), 20)
    until("the watch is closed", lambda: watchers(stage.port) == 0, 1)
    if closes:
        until("gpsd closes the port", lambda: text(stage.wire).split()[-1] == "closed", 75)
        print(f"  {time.monotonic() - begin:5.1f} s  after the port was opened", flush=True)
    stage.end()
    assert samples(stage.output) >= 4, text(stage.output)
    print("  " + stage.why().splitlines()[0], flush=True)
    stage.close()


def gpsd_is_killed():
    stage = Stage("killed")
    stage.run()
    until("the port is opened", lambda: "open" in text(stage.wire).split(), 10)
    stage.daemon.kill()
    stage.daemon.wait()
    until("the end of gpsd is reported", lambda: "has a fault: gpsd at 127.0.0.1" in text(stage.output), 10)
    stage.start_daemon()
    until("the program watches gpsd again", lambda: watchers(stage.port) == 1, 10)
    # gpsd detects its receiver again.
    until("there is a fix again", stage.has_fix, 40)
    time.sleep(2)
    stage.end(signal.SIGTERM)
    assert samples(stage.output) >= 1, text(stage.output)
    stage.close()


def rate_follows_the_policy(log):
    stage = Stage("rate", log, "0.2")
    stage.run()

    def told():
        return "".join(line[5:] for line in text(stage.wire).splitlines() if line.startswith("sent "))

    until("there is a fix", stage.has_fix, 60)
    stage.add('rule slow "at most one position per 5 s"\nalways {\n  downgrade gps to 0.2 Hz\n}\n\n')
    # UBX-CFG-RATE with 5000 ms.
    until("an edit of the policy changes the receiver's cycle", lambda: "b562060806008813" in told(), 20)
    stage.end()
    stage.close()


def stored_positions_are_batches(log):
    """A receiver sends its stored positions repeatedly; each is accepted once."""
    stage = Stage("stored", log, "0.05")
    stage.run()
    time.sleep(40)
    stage.end()
    count = samples(stage.output)
    batches = [line.split()[-1] for line in text(stage.output).splitlines() if "trail-app, batches" in line]
    print(f"  {count} positions in {batches[0]} batches", flush=True)
    assert 40 <= count <= 63 and int(batches[0]) < count, text(stage.output)
    stage.close()


def together():
    if not can_mock():
        print("there is no umockdev: an accelerometer and a battery beside gpsd were NOT tested")
        return
    everything_together(signal.SIGINT)
    everything_together(signal.SIGTERM)


def recorded():
    logs = os.environ.get("STINT_RECEIVER_LOGS", "")
    if not os.path.exists(os.path.join(logs, "ublox-neo-m8n.log")):
        print("STINT_RECEIVER_LOGS names no folder of recorded logs: receivers of u-blox were NOT tested")
        return
    rate_follows_the_policy(os.path.join(logs, "ublox-neo-m8n.log"))
    stored_positions_are_batches(os.path.join(logs, "ublox-zoe-m8b-logbatch.log"))


parts = {
    "walk": walk, "closes": lambda: walk(closes=True), "killed": gpsd_is_killed, "together": together,
    "recorded": recorded}
try:
    for name in sys.argv[3:] or [part for part in parts if part != "walk"]:
        parts[name]()
finally:
    for child in children:
        if child.poll() is None:
            child.kill()
print(f"the output of the programs is in {folder}")
