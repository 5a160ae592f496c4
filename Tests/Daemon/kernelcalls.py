"""Runs a program, and lets a test watch and delay the program's file accesses. Needs Linux on x86-64.

The program runs under a filter of system calls. Each call that names, reads or writes a file waits in the kernel
until this module has noted it. So the accesses of one thread are known exactly, and an access can be delayed
for any duration.
"""
import array
import ctypes
import fcntl
import os
import platform
import re
import select
import socket
import stat
import struct
import threading
import time

# The number of each call, and the index of its path among the arguments; None for calls with a descriptor.
CALLS = {
    "open": (2, 0), "stat": (4, 0), "lstat": (6, 0), "access": (21, 0), "truncate": (76, 0), "rename": (82, 0),
    "mkdir": (83, 0), "rmdir": (84, 0), "creat": (85, 0), "link": (86, 0), "unlink": (87, 0), "symlink": (88, 0),
    "readlink": (89, 0), "chmod": (90, 0), "statfs": (137, 0), "inotify_add_watch": (254, 1), "openat": (257, 1),
    "mkdirat": (258, 1), "newfstatat": (262, 1), "unlinkat": (263, 1), "renameat": (264, 1), "readlinkat": (267, 1),
    "faccessat": (269, 1), "renameat2": (316, 1), "statx": (332, 1), "openat2": (437, 1), "faccessat2": (439, 1),
    "read": (0, None), "pread64": (17, None), "readv": (19, None), "fsync": (74, None), "fdatasync": (75, None),
    "getdents64": (217, None), "write": (1, None), "pwrite64": (18, None), "writev": (20, None),
    "ftruncate": (77, None),
}
NAMES = {number: (name, place) for name, (number, place) in CALLS.items()}
# The allocator of the C library reads this file of the kernel once.
ALLOCATOR_FILE = "/proc/sys/vm/overcommit_memory"
# The link to the executable of a caller of the control socket. The kernel reads this link from memory.
CALLER = re.compile(r"/proc/\d+/exe")
IS_SUPPORTED = platform.machine() == "x86_64"

_RECEIVE, _SEND, _CONTINUE = 0xC0502100, 0xC0182101, 1


def _filter():
    lines = [(0x20, 0, 0, 4), (0x15, 1, 0, 0xC000003E), (0x06, 0, 0, 0x7FFF0000), (0x20, 0, 0, 0)]
    for number, _ in CALLS.values():
        lines += [(0x15, 0, 1, number), (0x06, 0, 0, 0x7FC00000)]
    lines.append((0x06, 0, 0, 0x7FFF0000))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def _restrict():
    """Installs the filter for the calling process. Returns the descriptor of its listener."""
    library = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(_filter())
    program = struct.pack("<HxxxxxxQ", len(code.raw) // 8, ctypes.addressof(code))
    if library.prctl(38, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    listener = library.syscall(317, 1, 8, program)
    if listener < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return listener


class WatchedProgram:
    """A running program. `watch()` begins to note the file accesses of its first thread."""

    def __init__(self, words, folder, output, slow=None, seconds=0.0):
        self.accesses = []
        self.is_watched = False
        self.slow = slow
        self.seconds = seconds
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.chdir(folder)
                file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                os.dup2(file, 1)
                os.dup2(file, 2)
                listener = _restrict()
                theirs.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener]))])
                os.close(listener)
                os.execv(words[0], words)
            finally:
                os._exit(126)
        theirs.close()
        message, parts, _, _ = ours.recvmsg(1, socket.CMSG_LEN(4))
        if not parts:
            raise OSError("the program could not be restricted")
        self.listener = array.array("i", parts[0][2][:4])[0]
        ours.close()
        self.status = None
        threading.Thread(target=self._serve, daemon=True).start()

    def watch(self, is_watched=True):
        self.is_watched = is_watched

    def delay(self, part, seconds):
        """Delays every access of the program to a path that contains `part`; None ends the delay."""
        self.slow, self.seconds = part, seconds

    def send(self, number):
        os.kill(self.pid, number)

    def end(self, seconds):
        """Waits for the end. Returns the exit status, or None when the program still runs after `seconds`."""
        until = time.monotonic() + seconds
        while self.status is None and time.monotonic() < until:
            found, status = os.waitpid(self.pid, os.WNOHANG)
            if found:
                self.status = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.02)
        return self.status

    def _serve(self):
        poller = select.poll()
        poller.register(self.listener, select.POLLIN)
        while True:
            if any(event & select.POLLHUP for _, event in poller.poll()):
                # The program has ended. If the descriptor stayed open, each later program would inherit it.
                return os.close(self.listener)
            notice = bytearray(80)
            try:
                fcntl.ioctl(self.listener, _RECEIVE, notice)
            except OSError:
                continue
            number, thread = struct.unpack_from("<QI", notice)
            call = struct.unpack_from("<i", notice, 16)[0]
            arguments = struct.unpack_from("<6Q", notice, 32)
            name, place = NAMES[call]
            path = self._path(thread, name, place, arguments)
            is_caller = name in ("readlink", "readlinkat") and CALLER.fullmatch(path or "")
            if self.is_watched and thread == self.pid and path not in (None, ALLOCATOR_FILE) and not is_caller:
                self.accesses.append("%s %s" % (name, path))
            is_own = os.path.exists("/proc/%d/task/%d" % (self.pid, thread))
            if is_own and self.slow is not None and path is not None and self.slow in path and not is_caller:
                threading.Timer(self.seconds, self._answer, [number]).start()
            else:
                self._answer(number)

    def _answer(self, number):
        try:
            fcntl.ioctl(self.listener, _SEND, bytearray(struct.pack("<QqiI", number, 0, 0, _CONTINUE)))
        except OSError:
            pass

    def _path(self, thread, name, place, arguments):
        """Returns the path of a call; None for a descriptor that is not a file on a disk."""
        try:
            if place is not None:
                with open("/proc/%d/mem" % thread, "rb", 0) as memory:
                    memory.seek(arguments[place])
                    path = memory.read(256).split(b"\0")[0].decode(errors="replace")
                if path:
                    return path
            link = "/proc/%d/fd/%d" % (thread, arguments[0] & 0xFFFFFFFF)
            kind = os.stat(link).st_mode
            path = os.readlink(link)
            is_file = stat.S_ISREG(kind) or stat.S_ISDIR(kind)
            return path if is_file and not path.startswith("/memfd:") else None
        except OSError:
            return None
