#!/usr/bin/env python3
"""A plugin that tries to get out of its process, and says as the temperature how many of its tries went well."""

import ctypes
import os
import signal
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


TRIES = [
    ("read a secret", lambda: open("/etc/shadow").read()),
    ("read another's home", lambda: os.listdir("/root")),
    ("write beside its program", lambda: open(os.path.join(os.path.dirname(__file__), "more"), "w")),
    ("write to the system", lambda: open("/tmp/stint-escaped", "w")),
    ("make a folder", lambda: os.mkdir("/tmp/stint-escaped-folder")),
    ("open a device", lambda: open("/dev/tty0")),
    ("open a socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
    ("reach another program", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)),
    ("leave its session", os.setsid),
    ("leave its group", lambda: os.setpgid(0, 0)),
    ("signal the daemon", lambda: os.kill(os.getppid(), signal.SIGWINCH)),
    ("outlive the daemon", lambda: call("prctl", 1, 0, 0, 0, 0)),
    ("trace the daemon", lambda: call("ptrace", 16, os.getppid(), 0, 0)),
    ("get a file system of its own", lambda: call("unshare", 0x00020000)),
    ("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None)),
    ("see the daemon's descriptors", lambda: os.listdir(f"/proc/{os.getppid()}/fd")),
    ("have more descriptors than seven", lambda: [os.fstat(number) for number in range(7, 64)]),
    ("change the clock", lambda: call("adjtimex", ctypes.create_string_buffer(b"\xff" * 256))),
]


class Escaping(stint.Thermometer):
    def work(self):
        self.next = self.now() + self.period
        worked = []
        for name, attempt in TRIES:
            try:
                attempt()
                worked.append(name)
            except (OSError, PermissionError):
                pass
        if worked:
            self.fault("could " + ", ".join(worked))
        else:
            self.fault(f"could do none of {len(TRIES)} things")


if __name__ == "__main__":
    Escaping().run()
