#!/usr/bin/env python3
"""Tests the HTTP carrier as a plugin of `stint run`, with a radio from the template and a server on loopback.

usage: transfers.py STINT PROGRAM REPOSITORY [links | disk]

PROGRAM is the built `stint-transfers`. With `links`, tests only the binding to an interface. With `disk`, tests only
a full disk. These parts need their own namespaces, so the program starts itself with `unshare`. The exit code is 1
when a check fails. No check needs another network.
"""
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

STINT, PROGRAM, REPOSITORY = (os.path.abspath(path) for path in sys.argv[1:4])
PACKAGE = os.path.join(REPOSITORY, "Plugins/Transfers")
FAILED = []
NAME = f"link_{os.getpid()}"
RADIO = f"radio.{NAME}"
RETRIES = {"first": "1 s", "cap": "2 s", "limit": 8, "jitter": 0, "seed": 0}
POLICY = f'policy "net" version 1\nuse {RADIO} as link required\n'
# Work that is not urgent waits for a battery level that no device reports, at most 4 s.
DEFER = POLICY + 'rule wait "waits" always { defer link until battery.level > 90 % deadline 4 s }\n'


def check(name, holds, detail=""):
    print(("ok      " if holds else "FAILED  ") + name + ("" if holds else "\n        " + str(detail)[-3000:]), flush=True)
    if not holds:
        FAILED.append(name)


def wait(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Server:
    """A running server.py."""

    def __init__(self, folder, *address, prefix=()):
        self.folder = os.path.join(folder, "server")
        os.makedirs(self.folder, exist_ok=True)
        self.process = subprocess.Popen([*prefix, sys.executable, os.path.join(PACKAGE, "Tests/server.py"), self.folder, *address],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ports = json.loads(self.process.stdout.readline())

    def requests(self):
        path = os.path.join(self.folder, "log")
        return open(path).read().splitlines() if os.path.exists(path) else []

    def end(self):
        self.process.stdin.close()
        self.process.kill()
        self.process.wait()


class Site:
    """A folder with a site. The site has a radio that is not a carrier, and the carrier with its folders."""

    def __init__(self, policy=POLICY, **settings):
        self.folder = tempfile.mkdtemp(prefix="stint-transfers-")
        # The plugin runs as another user when the daemon is root.
        os.chmod(self.folder, 0o755)
        self.spool, self.uploads, self.secrets = (os.path.join(self.folder, name) for name in ("spool", "uploads", "secrets"))
        for path in (self.spool, self.uploads, self.secrets):
            os.mkdir(path)
        os.chmod(self.spool, 0o777)
        self.make_radio()
        needs = [{"path": self.spool, "access": "write"}, {"path": self.uploads, "access": "read"},
                 {"path": self.secrets, "access": "read"}]
        carrier = os.path.join(self.folder, "carrier")
        os.mkdir(carrier)
        shutil.copy(PROGRAM, os.path.join(carrier, "stint-transfers"))
        shutil.copy(os.path.join(PACKAGE, "manifest.json"), carrier)
        with open(os.path.join(PACKAGE, "plugin.json")) as file:
            descriptor = json.load(file)
        descriptor["needs"] = needs
        with open(os.path.join(carrier, "plugin.json"), "w") as file:
            json.dump(descriptor, file)
        self.sealed = subprocess.run([STINT, "plugin", "seal", carrier], capture_output=True, text=True)
        settings = {key: value.replace("SECRETS", self.secrets) for key, value in settings.items()}
        settings = {"spool": self.spool, "uploads": self.uploads, "slow_time": "20 s", **settings}
        allow = [need["path"] for need in needs] + ["network"]
        with open(os.path.join(self.folder, "net.stint"), "w") as file:
            file.write(policy)
        with open(os.path.join(self.folder, "site.json"), "w") as file:
            json.dump({"stint_site": 1, "title": "transfers", "plugins": [
                {"process": "radio/plugin.json", "allow": self.radio_needs},
                {"process": "carrier/plugin.json", "with": settings, "allow": allow}],
                "declares": [{"name": "battery.level", "unit": "%", "range": ["0 %", "100 %"]}]}, file)

    def make_radio(self):
        """Makes a radio from the template, without its role as a carrier and with a faster link."""
        radio = os.path.join(self.folder, "radio")
        subprocess.run([STINT, "plugin", "new", NAME, "--language", "python", "--kind", "radio", "--into", "radio"],
                       cwd=self.folder, check=True, capture_output=True)
        for path, old, new in (("manifest.json", '"provides": ["transfers", "carrier"]', '"provides": ["transfers"]'),
                               ("manifest.json", "20 kB/s", "2 MB/s"), (f"{NAME}.py", "link_rate = 20_000", "link_rate = 2_000_000"),
                               ("plugin.json", '"needs": [', '"needs": [], "former": [')):
            path = os.path.join(radio, path)
            text = open(path).read()
            assert old in text, (path, old)
            with open(path, "w") as file:
                file.write(text.replace(old, new))
        with open(os.path.join(radio, "plugin.json")) as file:
            descriptor = json.load(file)
        del descriptor["former"]
        with open(os.path.join(radio, "plugin.json"), "w") as file:
            json.dump(descriptor, file)
        self.radio_needs = []
        subprocess.run([STINT, "plugin", "seal", radio], check=True, capture_output=True)

    def files(self):
        return sorted(os.listdir(self.spool))

    def part(self):
        """Returns the size of the only part; -1 without a part."""
        parts = [name for name in self.files() if name.endswith(".part")]
        try:
            return os.path.getsize(os.path.join(self.spool, parts[0])) if parts else -1
        except OSError:
            return -1

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Daemon:
    def __init__(self, site):
        self.control = os.path.join(site.folder, "socket")
        self.output = open(os.path.join(site.folder, "output"), "w+")
        self.process = subprocess.Popen(
            [STINT, "run", "--policies", "net.stint", "--site", "site.json", "--control", self.control, "--journal", "journals"],
            cwd=site.folder, stdout=self.output, stderr=subprocess.STDOUT)
        wait(lambda: os.path.exists(self.control))

    def ask(self, *words):
        return subprocess.run([STINT, *words, "--control", self.control], capture_output=True, text=True).stdout

    def carrier(self):
        """Returns the process of the carrier; None while it does not serve."""
        found = re.search(r"net\.http .*process (\d+)", self.ask("status"))
        return int(found.group(1)) if found else None

    def serves(self):
        return wait(lambda: f"{RADIO} serves" in self.ask("status") and "net.http serves" in self.ask("status"))

    def said(self):
        with open(self.output.name) as file:
            return file.read()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


class Client:
    """A client program with one session of transfers."""

    def __init__(self, daemon, **session):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(daemon.control)
        self.lines = self.socket.makefile("r")
        self.messages = []
        self.send(attach={"name": "map-app"})
        self.send(request={"id": 1, "kind": "transfers", "retries": RETRIES, **session})
        check("a session is accepted", self.until(lambda message: "accepted" in message), self.messages)

    def send(self, **message):
        self.socket.sendall((json.dumps(message) + "\n").encode())

    def command(self, **members):
        self.send(command={"id": 1, **members})

    def until(self, holds, seconds=30):
        """Reads messages until one satisfies the condition. Returns that message, or None."""
        self.socket.settimeout(seconds)
        try:
            for line in self.lines:
                message = json.loads(line)
                self.messages.append(message)
                if holds(message):
                    return message
        except OSError:
            pass
        return None

    def event(self, task, *states, seconds=30):
        """Reads until a task is in one of the states. Returns the event."""
        message = self.until(lambda message: message.get("event", {}).get("task") == task
                             and message["event"].get("state") in states, seconds)
        return (message or {}).get("event", {})


def switches(process):
    """Returns the number of voluntary context switches of all threads of a process, and the number of threads."""
    count, threads = 0, os.listdir(f"/proc/{process}/task")
    for thread in threads:
        with open(f"/proc/{process}/task/{thread}/status") as file:
            count += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M).group(1))
    return count, len(threads)


def memory(process):
    with open(f"/proc/{process}/status") as file:
        return int(re.search(r"^VmRSS:\s*(\d+)", file.read(), re.M).group(1))


def digest(data):
    return hashlib.sha256(data).hexdigest()


def content(size):
    """Returns the content of /data/SIZE of server.py."""
    return bytes(((place & 255) * 167 + (place >> 8) * 13 + (place >> 16) * 29 + 7) & 255 for place in range(size))


def transfers():
    site = Site()
    server = Server(site.folder)
    daemon = None
    try:
        check("the package is sealed", site.sealed.returncode == 0, site.sealed.stdout + site.sealed.stderr)
        judged = subprocess.run([STINT, "plugin", "check", os.path.join(site.folder, "carrier"), "--with", f"spool={site.spool}"],
                                capture_output=True, text=True)
        check("the carrier passes `stint plugin check`", judged.returncode == 0, judged.stdout + judged.stderr)
        daemon = Daemon(site)
        check("radio and carrier serve", daemon.serves(), daemon.ask("status") + daemon.said())
        process = daemon.carrier()
        before, _ = switches(process)
        time.sleep(4)
        after, threads = switches(process)
        check("before the first order, the carrier does not wake", after == before and threads == 1, (after - before, threads))

        client = Client(daemon)
        base = f"http://127.0.0.1:{server.ports['http']}"
        client.command(task="a", download=f"{base}/data/300000", bytes_down=300_000, urgent=True)
        done = client.event("a", "finished", "failed")
        path = done.get("file", "")
        check("a download finishes with the bytes of the server", path and digest(open(path, "rb").read()) == digest(content(300_000)),
              (client.messages, daemon.said()))
        check("the file is in the spool", os.path.dirname(path) == site.spool, path)
        client.command(received="a")
        check("the file is removed after it was received", wait(lambda: site.files() == []), site.files())

        for task, address, cause in (("file", "file:///etc/passwd", "http://"), ("missing", f"{base}/x?status=404", "rejected")):
            client.command(task=task, download=address, urgent=True)
            failed = client.event(task, "failed")
            check(f"the task “{task}” fails for good, and the notice gives the reason", cause in str(failed.get("fault")), client.messages[-3:])

        with open(os.path.join(site.uploads, "report"), "wb") as file:
            file.write(content(200_000))
        client.command(task="up", upload=os.path.join(site.uploads, "report"), to=f"{base}/reports", bytes_up=200_000, urgent=True)
        client.event("up", "finished", "failed")
        check("an upload arrives with the key of its task", any(re.search(r'PUT /reports Idempotency-Key=".*up" .*equal$', line)
                                                                 for line in server.requests()), (server.requests()[-2:], client.messages[-3:]))

        resumed(site, server, daemon, client, base)
        process = daemon.carrier()
        time.sleep(2)
        before, _ = switches(process)
        time.sleep(5)
        after, threads = switches(process)
        check("after the last transfer, the carrier does not wake in 5 s", after == before and threads == 1, (after - before, threads))
        sockets = [link for link in (os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd"))
                   if link.startswith("socket:")]
        check("after the last transfer, the carrier has only the socket of its channel", len(sockets) == 1, sockets)
        print(f"        the idle process has {memory(process)} kB of memory")
        check("no system call of the carrier is refused", "refused" not in daemon.ask("status"), daemon.ask("status"))
        daemon.end()
    finally:
        if daemon:
            daemon.process.kill()
        server.end()
        site.remove()


def resumed(site, server, daemon, client, base):
    """The process is killed during a download; the download continues after the part on the disk."""
    size = 1_500_000
    client.command(task="d", download=f"{base}/data/{size}?rate=500000", bytes_down=size, urgent=True)
    wait(lambda: site.part() > 300_000)
    first = daemon.carrier()
    os.kill(first, signal.SIGKILL)
    part = site.part()
    waiting = client.event("d", "waiting")
    check("a notice tells the client why the task waits", waiting.get("reason") in ("retry", "no-radio", "no-carrier"), client.messages[-4:])
    check("the carrier is started again", wait(lambda: daemon.carrier() not in (None, first)), daemon.ask("status"))
    done = client.event("d", "finished", "failed", seconds=60)
    path = done.get("file", "")
    check("after the kill, the download finishes with the right bytes", path and digest(open(path, "rb").read()) == digest(content(size)),
          (done, client.messages[-6:], daemon.said()))
    ranges = [int(found.group(1)) for found in (re.search(rf"/data/{size}\S* Range=bytes=(\d+)-", line) for line in server.requests()) if found]
    check("the second request begins after the kept part", ranges and ranges[0] >= part > 300_000, (ranges, part, server.requests()))
    client.command(received="d")
    wait(lambda: site.files() == [])


def deferred():
    """A policy defers the radio: work that is not urgent waits, and urgent work does not."""
    site = Site(policy=DEFER)
    server = Server(site.folder)
    daemon = Daemon(site)
    try:
        check("radio and carrier serve under a policy that defers", daemon.serves(), daemon.ask("status") + daemon.said())
        client = Client(daemon)
        base = f"http://127.0.0.1:{server.ports['http']}"
        began = time.monotonic()
        client.command(task="later", download=f"{base}/data/1000", bytes_down=1000)
        client.command(task="now", download=f"{base}/data/2000", bytes_down=2000, urgent=True)
        client.event("now", "finished", "failed")
        check("an urgent download does not wait", time.monotonic() - began < 3 and server.requests() == ["GET /data/2000 "],
              (time.monotonic() - began, server.requests(), client.messages))
        done = client.event("later", "finished", "failed")
        took = time.monotonic() - began
        check("a deferred download is requested when the policy permits it, and not before", took > 3 and len(server.requests()) == 2
              and done.get("state") == "finished", (took, server.requests(), client.messages[-4:]))
        daemon.end()
    finally:
        daemon.process.kill()
        server.end()
        site.remove()


def credentials():
    """A password that comes from a file appears in no output, journal, status or argument."""
    site = Site(ca_file="SECRETS/certificate", credentials="SECRETS/netrc")
    server = Server(site.folder)
    daemon = None
    try:
        if "https" not in server.ports:
            print("skipped the credentials: there is no openssl here")
            return
        shutil.copy(os.path.join(server.folder, "certificate"), site.secrets)
        with open(os.path.join(site.secrets, "netrc"), "w") as file:
            file.write("machine 127.0.0.1 login anna password se5am3\n")
        daemon = Daemon(site)
        check("radio and carrier serve with credentials", daemon.serves(), daemon.ask("status") + daemon.said())
        client = Client(daemon)
        address = f"https://127.0.0.1:{server.ports['https']}/data/1000?credentials"
        for task, password in (("a", "se5am3"), ("b", "other")):
            with open(os.path.join(server.folder, "user"), "w") as file:
                file.write(f"anna:{password}")
            client.command(task=task, download=address, bytes_down=1000, urgent=True)
            client.until(lambda message: message.get("event", {}).get("task") == task
                         and message["event"].get("state") not in ("accepted", "waiting", "reply"))
        states = [message["event"].get("state") for message in client.messages if "event" in message]
        check("a download with credentials over TLS finishes", "finished" in states, client.messages)
        check("wrong credentials are reported to the client", states[-1] == "credentials", client.messages[-3:])
        process = daemon.carrier()
        traces = daemon.said() + daemon.ask("status") + daemon.ask("why", RADIO) + "".join(
            open(f"/proc/{process}/{name}", errors="replace").read() for name in ("cmdline", "environ"))
        check("no output, status or argument contains the password", "net.http" in traces and "se5am3" not in traces, traces)
        daemon.end()
        journals = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(site.folder, "journals")) for name in names]
        text = b"".join(open(path, "rb").read() for path in journals)
        check("the journal does not contain the password", len(text) > 100 and b"se5am3" not in text, (journals, len(text)))
    finally:
        if daemon:
            daemon.process.kill()
        server.end()
        site.remove()


def received_bytes(interface):
    # Files of /sys describe the network in which /sys was mounted, so /proc is read.
    with open("/proc/self/net/dev") as file:
        return next(int(line.split()[1]) for line in file if line.split()[0] == interface + ":")


def links():
    """Two interfaces lead to the server. A transfer that is bound to one of them never uses the other one."""
    def run(*words):
        subprocess.run(words, check=True)

    other = subprocess.Popen(["unshare", "-n", "sleep", "600"])
    site = Site(interfaces=f"{RADIO}=cell0", connect_time="3 s")
    daemon = server = None
    try:
        own = os.readlink("/proc/self/ns/net")
        wait(lambda: os.readlink(f"/proc/{other.pid}/ns/net") != own)
        enter = ("nsenter", "-t", str(other.pid), "-n")
        run("ip", "link", "set", "lo", "up")
        for number, name in ((1, "lan"), (2, "cell")):
            run("ip", "link", "add", name + "0", "type", "veth", "peer", "name", name + "1")
            run("ip", "link", "set", name + "1", "netns", str(other.pid))
            run("ip", "addr", "add", f"10.66.{number}.2/24", "dev", name + "0")
            run("ip", "link", "set", name + "0", "up")
            run(*enter, "ip", "addr", "add", f"10.66.{number}.1/24", "dev", name + "1")
            run(*enter, "ip", "link", "set", name + "1", "up")
        # The server has an address that both interfaces reach; the route over `lan0` is better.
        run(*enter, "ip", "link", "set", "lo", "up")
        run(*enter, "ip", "addr", "add", "10.66.9.1/32", "dev", "lo")
        run("ip", "route", "add", "10.66.9.1", "via", "10.66.1.1", "metric", "10")
        run("ip", "route", "add", "10.66.9.1", "via", "10.66.2.1", "metric", "20")
        server = Server(site.folder, "10.66.9.1", prefix=enter)
        base = f"http://10.66.9.1:{server.ports['http']}"
        with socket.create_connection(("10.66.9.1", server.ports["http"]), 5):
            check("without a binding, the connection uses the other interface", True)
        daemon = Daemon(site)
        check("radio and carrier serve", daemon.serves(), daemon.ask("status") + daemon.said())
        client = Client(daemon)
        before = {name: received_bytes(name) for name in ("lan0", "cell0")}
        client.command(task="a", download=f"{base}/data/500000", bytes_down=500_000, urgent=True)
        done = client.event("a", "finished", "failed")
        moved = {name: received_bytes(name) - before[name] for name in before}
        check("a bound download finishes over its interface", done.get("state") == "finished" and moved["cell0"] > 500_000,
              (done, moved, client.messages[-5:]))
        check("a bound download moves no byte over the other interface", moved["lan0"] < 1000, moved)

        run("ip", "link", "set", "cell0", "down")
        count, before = len(server.requests()), received_bytes("lan0")
        client.command(task="b", download=f"{base}/data/500000", bytes_down=500_000, urgent=True)
        waiting = client.event("b", "waiting")
        check("without its interface, the transfer waits", waiting.get("reason") == "retry", client.messages[-4:])
        time.sleep(3)
        check("without its interface, no request is sent over the other one",
              len(server.requests()) == count and received_bytes("lan0") - before < 1000, server.requests())
        run("ip", "link", "set", "cell0", "up")
        run("ip", "route", "add", "10.66.9.1", "via", "10.66.2.1", "metric", "20")
        done = client.event("b", "finished", "failed", seconds=60)
        check("when its interface is back, the transfer finishes", done.get("state") == "finished", client.messages[-4:])
        daemon.end()
    finally:
        if daemon:
            daemon.process.kill()
        if server:
            server.end()
        other.kill()
        other.wait()
        site.remove()


def disk():
    """The spool is a disk of 1 MB. A file that does not fit fails, and other transfers continue."""
    site = Site()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=777", "tmpfs", site.spool], check=True)
    server = Server(site.folder)
    daemon = Daemon(site)
    try:
        check("radio and carrier serve with a small disk", daemon.serves(), daemon.ask("status") + daemon.said())
        client = Client(daemon)
        base = f"http://127.0.0.1:{server.ports['http']}"
        client.command(task="small", download=f"{base}/data/200000?rate=100000", bytes_down=200_000, urgent=True)
        wait(lambda: site.part() > 0)
        client.command(task="large", download=f"{base}/data/3000000", bytes_down=3_000_000, urgent=True)
        failed = client.event("large", "finished", "failed")
        check("a file that does not fit on the disk fails, and the notice gives the reason",
              failed.get("state") == "failed" and "no space left" in str(failed.get("fault")), client.messages[-4:])
        done = client.event("small", "finished", "failed")
        path = done.get("file", "")
        check("the transfer in progress finishes", path and open(path, "rb").read() == content(200_000),
              client.messages[-4:])
        check("a file that does not fit takes no space", len(server.requests()) == 2, server.requests())
        check("no part of the failed transfer is left", wait(lambda: site.files() == [os.path.basename(path)]), site.files())
        check("the daemon reports the full disk", "no space left" in daemon.said() + daemon.ask("status"), daemon.said())
        daemon.end()
    finally:
        daemon.process.kill()
        server.end()
        subprocess.run(["umount", "-l", site.spool])
        site.remove()


def apart(part, namespace, *needs):
    """Runs a part of the test in a namespace of its own."""
    missing = [name for name in ("unshare", *needs) if not shutil.which(name)]
    if missing:
        print(f"skipped “{part}”: there is no {missing[0]} here")
        return
    flags = [namespace] if os.geteuid() == 0 else ["-r", namespace]
    inner = subprocess.run(["unshare", *flags, sys.executable, *sys.argv, part])
    check(f"the part “{part}” passes", inner.returncode == 0)


if sys.argv[4:] == ["links"]:
    links()
elif sys.argv[4:] == ["disk"]:
    disk()
else:
    transfers()
    deferred()
    credentials()
    apart("disk", "-m", "mount")
    apart("links", "-n", "ip", "nsenter")

print("failed: " + ", ".join(FAILED) if FAILED else "all checks pass")
sys.exit(1 if FAILED else 0)
