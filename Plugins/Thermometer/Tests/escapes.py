#!/usr/bin/env python3
"""A plugin that tries to escape from its process, and reports as a fault which attempts succeeded.

The setting `source` is a file. The folder `victims` beside it contains the targets of the attempts: `secret`,
`journal`, `program`.
"""

import _thread
import ctypes
import os
import platform
import resource
import signal
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import thermometer as stint

libc = ctypes.CDLL(None, use_errno=True)
IS_ARM = platform.machine() == "aarch64"
HERE = os.path.dirname(os.path.abspath(__file__))
# The numbers of the system calls that the attempts make directly: on x86_64, and on aarch64.
NUMBERS = {
    "kcmp": (312, 272), "ioprio_set": (251, 30), "tgkill": (234, 131), "tkill": (200, 130), "clone": (56, 220),
    "rt_sigqueueinfo": (129, 138), "prlimit64": (302, 261), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_setup": (206, 0), "migrate_pages": (256, 238),
    "finit_module": (313, 273), "seccomp": (317, 277), "capset": (126, 91), "mq_open": (240, 180),
    "memfd_create": (319, 279), "process_vm_readv": (310, 270), "setresuid": (117, 147), "sync": (162, 81),
}


def daemon():
    """Returns the process id of the daemon from the environment, or of the parent if it is visible.

    Otherwise returns 2, because many calls take the id 0 as the calling process.
    """
    return int(os.environ.get("STINT_DAEMON", "0")) or os.getppid() or 2


def call(name, *arguments):
    if getattr(libc, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def system(name, *arguments):
    """Makes a system call by its number or name."""
    number = NUMBERS[name][IS_ARM] if isinstance(name, str) else name
    result = libc.syscall(number, *arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), str(name))
    return result


def reached(name, *arguments):
    """Makes a call with harmless arguments. Also succeeds when the kernel rejects only the arguments."""
    try:
        system(name, *arguments)
    except OSError as error:
        if error.errno in (1, 13, 38):
            raise


def limit(kind):
    pair = (ctypes.c_uint64 * 2)(1 << 30, 1 << 30)
    system("prlimit64", daemon(), kind, pair, None)


def control_pipe(command, value):
    import fcntl
    ends = os.pipe()
    try:
        fcntl.fcntl(ends[0], command, value)
    finally:
        os.close(ends[0])
        os.close(ends[1])


def forked(flags=None):
    process = os.fork() if flags is None else system("clone", flags | 17, None, None, None, None)
    if process == 0:
        os._exit(0)


def threads():
    # `threading.Thread.start` never returns when the new thread cannot begin because memory is missing. So this
    # function uses `_thread`.
    gate = _thread.allocate_lock()
    ended = []

    def wait():
        with gate:
            ended.append(True)

    gate.acquire()
    try:
        _thread.stack_size(64 << 10)
        for _ in range(1000):
            _thread.start_new_thread(wait, ())
    except RuntimeError as error:
        raise OSError(11, str(error)) from error
    finally:
        gate.release()


def find_open(first, end):
    """Succeeds when a descriptor from `first` to before `end` is open; otherwise raises `OSError`."""
    for number in range(first, end):
        try:
            os.fstat(number)
            return
        except OSError:
            pass
    raise OSError(9, "descriptors")


def descriptors():
    copies = []
    try:
        for _ in range(256):
            copies.append(os.dup(0))
    finally:
        for copy in copies:
            os.close(copy)


def hog():
    try:
        bytearray(2 << 30)
    except MemoryError as error:
        raise OSError(12, "memory") from error


def aimed(folder):
    """The attempts on a folder of the daemon."""
    secret, journal, program, other = (os.path.join(folder, name) for name in ("secret", "journal", "program", "other"))
    return [
        ("read a file of the daemon", lambda: open(secret).read()),
        ("write a file of the daemon", lambda: open(secret, "w")),
        ("append to a file of the daemon", lambda: open(journal, "a")),
        ("truncate a file of the daemon", lambda: os.truncate(journal, 0)),
        ("remove all permissions of a file", lambda: os.chmod(secret, 0)),
        ("set the set-user-id bit of a program", lambda: os.chmod(program, 0o4755)),
        ("change the owner of a file", lambda: os.chown(secret, 65534, 65534)),
        ("change a file's time", lambda: os.utime(journal, (1, 1))),
        ("set an attribute", lambda: os.setxattr(secret, "user.escape", b"1")),
        ("remove a file of the daemon", lambda: os.unlink(journal)),
        ("rename a file of the daemon", lambda: os.rename(journal, other)),
        ("link a file of the daemon", lambda: os.link(secret, other)),
        ("make a link", lambda: os.symlink("/etc/shadow", other)),
        ("make a folder of the daemon", lambda: os.mkdir(other)),
        ("make a named pipe", lambda: os.mkfifo(other)),
        ("make a file of the daemon", lambda: open(other, "w")),
        ("list the folder of the daemon", lambda: os.listdir(folder)),
    ]


TRIES = [
    ("have more than seven descriptors", lambda: find_open(7, 64)),
    ("read a secret", lambda: open("/etc/shadow").read()),
    ("read the home folder of another user", lambda: os.listdir("/root")),
    ("write beside its program", lambda: open(os.path.join(HERE, "more"), "w")),
    ("write its program", lambda: open(os.path.abspath(__file__), "a")),
    ("change its program's mode", lambda: os.chmod(os.path.abspath(__file__), 0o777)),
    ("write to the system", lambda: open("/tmp/stint-escaped", "w")),
    ("write to the libraries", lambda: open("/usr/lib/stint-escaped", "w")),
    ("write shared memory", lambda: open("/dev/shm/stint-escaped", "w")),
    ("make a folder", lambda: os.mkdir("/tmp/stint-escaped-folder")),
    ("open a device", lambda: open("/dev/tty0")),
    ("open the disk", lambda: open("/dev/vda")),
    ("open an IPv4 socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
    ("open an IPv6 socket", lambda: socket.socket(socket.AF_INET6, socket.SOCK_STREAM)),
    ("open a local socket", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)),
    ("open a socket to the kernel", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
    ("leave its session", os.setsid),
    ("leave its group", lambda: os.setpgid(0, 0)),
    ("signal the daemon", lambda: os.kill(daemon(), signal.SIGWINCH)),
    ("signal all", lambda: os.kill(-1, 0)),
    ("signal a thread", lambda: system("tgkill", daemon(), daemon(), 0)),
    ("signal any thread", lambda: system("tkill", daemon(), 0)),
    ("queue a signal", lambda: system("rt_sigqueueinfo", daemon(), 28, ctypes.create_string_buffer(128))),
    ("get a handle of the daemon", lambda: system(434, daemon(), 0)),
    ("make a pipe signal the daemon", lambda: control_pipe(8, daemon())),
    ("choose the signal of a pipe", lambda: control_pipe(10, 28)),
    ("outlive the daemon", lambda: call("prctl", 1, 0, 0, 0, 0)),
    ("trace the daemon", lambda: call("ptrace", 16, daemon(), 0, 0)),
    ("read the daemon's memory", lambda: reached("process_vm_readv", daemon(), None, 0, None, 0, 0)),
    ("open the daemon's memory", lambda: open(f"/proc/{daemon()}/mem", "r+b")),
    ("compare itself with the daemon", lambda: system("kcmp", daemon(), daemon(), 1, 0, 0)),
    ("see the daemon's descriptors", lambda: os.listdir(f"/proc/{daemon()}/fd")),
    ("limit the daemon's descriptors", lambda: limit(resource.RLIMIT_NOFILE)),
    ("limit the daemon's time", lambda: limit(resource.RLIMIT_CPU)),
    ("limit the daemon's files", lambda: limit(resource.RLIMIT_FSIZE)),
    ("lower the daemon's priority", lambda: os.setpriority(os.PRIO_PROCESS, daemon(), 19)),
    ("bind the daemon to a processor", lambda: os.sched_setaffinity(daemon(), [0])),
    ("run the daemon only when idle", lambda: os.sched_setscheduler(daemon(), os.SCHED_IDLE, os.sched_param(0))),
    ("lower the priority of the daemon's input and output", lambda: system("ioprio_set", 1, daemon(), 3 << 13)),
    ("migrate the daemon's memory", lambda: system("migrate_pages", daemon(), 0, None, None)),
    ("start a process", forked),
    ("start a program", lambda: os.posix_spawn("/bin/true", ["true"], {})),
    ("start a child of the daemon", lambda: forked(0x8000)),
    ("start a process in a new user namespace", lambda: forked(0x10000000)),
    ("start a thousand threads", threads),
    ("allocate 2 GiB of memory", hog),
    ("open 256 descriptors", descriptors),
    ("make a memory file", lambda: system("memfd_create", b"x", 0)),
    ("make a shared memory segment", lambda: call("shmget", 0, 1 << 20, 0o1666)),
    ("make a message queue", lambda: call("msgget", 0, 0o1666)),
    ("make a semaphore", lambda: call("semget", 0, 1, 0o1666)),
    ("make a named message queue", lambda: reached("mq_open", b"stint-escape", 0o102, 0o600, None)),
    ("lock its memory", lambda: call("mlockall", 2)),
    ("make a mount namespace", lambda: call("unshare", 0x00020000)),
    ("make a user namespace", lambda: call("unshare", 0x10000000)),
    ("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None)),
    ("change its root", lambda: os.chroot("/usr")),
    ("become root", lambda: system("setresuid", 0, 0, 0)),
    ("filter its system calls", lambda: reached("seccomp", 2, 0, None)),
    ("change its personality", lambda: call("personality", 0x0040000)),
    ("load a program into the kernel", lambda: reached("bpf", 0, None, 0)),
    ("use performance counters", lambda: reached("perf_event_open", None, 0, -1, -1, 0)),
    ("use kernel keys", lambda: reached("keyctl", 0, -4, 0)),
    ("use io_uring", lambda: reached(425, 1, None)),
    ("use asynchronous input", lambda: reached("io_setup", 1, None)),
    ("handle page faults", lambda: reached("userfaultfd", 1)),
    ("load a module", lambda: reached("finit_module", -1, b"", 0)),
    ("set capabilities", lambda: reached("capset", None, None)),
    ("change the host name", lambda: socket.sethostname("stint")),
    ("change the clock", lambda: call("adjtimex", ctypes.create_string_buffer(b"\xff" * 256))),
    ("write all cached data to disk", lambda: system("sync")),
]


class Escaping(stint.Thermometer):
    def work(self):
        self.next = self.now() + self.period
        folder = os.path.join(os.path.dirname(self.settings.get("source", "/none/none")), "victims")
        worked = []
        tries = TRIES + aimed(folder)
        for name, attempt in tries:
            try:
                attempt()
                worked.append(name)
            except (OSError, PermissionError):
                pass
        if worked:
            self.fault("could " + ", ".join(worked))
        else:
            self.fault(f"could do none of {len(tries)} things")


if __name__ == "__main__":
    Escaping().run()
