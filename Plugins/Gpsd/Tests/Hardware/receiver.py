#!/usr/bin/env python3
"""Simulates a serial receiver: a pseudo terminal that reports a walk or plays a recorded log.

  receiver.py LINK [LOG [SECONDS_A_PIECE]]

The script sends data only while a reader has the port open, like a receiver with standby. Its standard output
has a line `open` or `closed` for each change, and a line `sent HEX` for bytes that are written to the port.
The script needs only the standard library.
"""
import glob
import os
import pty
import select
import sys
import time
import tty


def sentence(body):
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n"


def degrees(value, width, letters):
    letter = letters[value < 0]
    whole, minutes = divmod(abs(value) * 60, 60)
    return f"{int(whole):0{width}d}{minutes:07.4f},{letter}"


def walk():
    """Yields the sentences of each second of the walk: RMC, GGA, GSA, GST."""
    start = time.time()
    while True:
        now = time.time()
        clock = time.strftime("%H%M%S.00", time.gmtime(now))
        date = time.strftime("%d%m%y", time.gmtime(now))
        north = 47.05 + (now - start) * 1.4 / 111_195
        place = f"{degrees(north, 2, 'NS')},{degrees(8.31, 3, 'EW')}"
        yield "".join(map(sentence, [
            f"GPRMC,{clock},A,{place},2.7,0.0,{date},,,A",
            f"GPGGA,{clock},{place},1,09,0.9,431.0,M,48.0,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,09,,,,1.6,0.9,1.3",
            f"GPGST,{clock},4.0,3.0,3.0,0.0,2.5,2.5,5.0",
        ])).encode()


def pieces(raw, size=600):
    """Yields pieces of a recorded log repeatedly, split at the ends of its epochs if it has any."""
    lines = raw.split(b"\n")
    while lines and lines[0].startswith(b"#"):
        lines.pop(0)
    raw = b"\n".join(lines)
    for mark in (b"\xb5\x62\x01\x07", b"\xb5\x62\x01\x06", b"$GPRMC", b"$GNRMC"):
        parts = raw.split(mark)
        if len(parts) > 3:
            epochs = [parts[0]] + [mark + part for part in parts[1:]]
            break
    else:
        epochs = [raw[at:at + size] for at in range(0, len(raw), size)]
    while True:
        yield from epochs


def holders(name):
    count = 0
    for link in glob.glob("/proc/[0-9]*/fd/*"):
        try:
            count += os.readlink(link) == name
        except OSError:
            pass
    return count


def main():
    link = sys.argv[1]
    source = pieces(open(sys.argv[2], "rb").read()) if len(sys.argv) > 2 else walk()
    pause = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.chmod(name, 0o666)  # gpsd drops its root privileges
    os.symlink(name, link)
    os.close(slave)
    os.set_blocking(master, False)
    is_open, due, look = False, 0.0, 0.0
    while True:
        now = time.monotonic()
        if now >= look:
            look = now + 0.2
            was_open, is_open = is_open, holders(name) > 0
            if is_open != was_open:
                print("open" if is_open else "closed", flush=True)
        if is_open and now >= due:
            due = now + pause
            try:
                os.write(master, next(source))
            except BlockingIOError:
                pass
        if select.select([master], [], [], 0.05)[0]:
            try:
                print("sent", os.read(master, 4096).hex(), flush=True)
            except OSError:  # no reader has the terminal open
                time.sleep(0.1)


main()
