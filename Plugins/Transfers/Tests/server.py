#!/usr/bin/env python3
"""An HTTP server on loopback for the tests of the carrier. It needs only Python's standard library.

usage: server.py FOLDER [ADDRESS]

Listens on ADDRESS, by default on loopback. Prints one line of JSON with its ports: `http`, `https` (when openssl can
make a certificate), `http2`, `proxy`, `other`, and `closed`, at which nothing listens. The port `other` has the same
certificate on 127.0.0.2, an address that the certificate does not contain. The certificate is FOLDER/certificate. For
each request, the server appends a line with the method, the path and some header fields to FOLDER/log, and the port of
the client to FOLDER/clients. The query of a path selects a behaviour; see `Handler`.
"""
import base64
import http.server
import json
import os
import re
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

FOLDER = sys.argv[1]
ADDRESS = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1"
PAGES = [bytes((place * 167 + start) & 255 for place in range(256)) for start in range(256)]
OLD = "Mon, 01 Jan 2024 00:00:00 GMT"
SEEN = {}
LOCK = threading.Lock()


def content(size, version):
    """Returns bytes that differ between positions and between versions."""
    pages = [PAGES[(page * 13 + (page >> 8) * 29 + version * 7) & 255] for page in range((size + 255) // 256)]
    return b"".join(pages)[:size]


def log(line):
    with LOCK, open(os.path.join(FOLDER, "log"), "a") as file:
        file.write(line + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves /data/SIZE. The parameters of the query select the behaviour:

    - `version` selects the content. With `changes`, each request gets the next version.
    - `tag`=weak or none and `modified`=now or none select the entity tag and the date of modification.
    - `ranges`=no ignores ranges, =wrong sends another range, =416 refuses them, and =any ignores `If-Range`.
    - In an answer with the whole file, `cut` ends the connection after this number of bytes, and `stall` sends
      no further bytes after this number.
    - `rate` sends this number of bytes per second. `endless` never ends, and `chunked` announces no length.
    - `status` answers with this status; with `once`, only the first request. `to` redirects to this address.
    - `credentials` requires this user and password, or those in FOLDER/user when the value is empty.
    """

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def note(self, more=""):
        fields = " ".join(f"{name}={self.headers[name]}" for name in
                          ("Range", "If-Range", "Authorization", "Proxy-Authorization", "Idempotency-Key", "Content-Length")
                          if self.headers[name])
        log(f"{self.command} {self.path} {fields}{more}")
        with LOCK, open(os.path.join(FOLDER, "clients"), "a") as file:
            file.write(f"{self.client_address[1]}\n")

    def query(self):
        parts = urllib.parse.urlsplit(self.path)
        return parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))

    def answer(self, status, fields=(), body=b""):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.note()
        path, query = self.query()
        try:
            self.get(path, query)
        except OSError:
            self.close_connection = True

    def get(self, path, query):
        if "credentials" in query:
            user = query["credentials"] or open(os.path.join(FOLDER, "user")).read()
            wanted = "Basic " + base64.b64encode(user.encode()).decode()
            if self.headers["Authorization"] != wanted:
                return self.answer(401, [("WWW-Authenticate", 'Basic realm="test"')])
        if "to" in query:
            return self.answer(int(query.get("status", 302)), [("Location", query["to"])], b"moved")
        if "status" in query and not ("once" in query and SEEN.get(self.path)):
            SEEN[self.path] = 1
            return self.answer(int(query["status"]), body=b"no")
        size, version = int(path.split("/")[-1]), int(query.get("version", 1))
        if "changes" in query:
            with LOCK:
                SEEN[self.path] = SEEN.get(self.path, 0) + 1
                version = SEEN[self.path]
        data = content(size, version)
        tag = {"weak": f'W/"v{version}"', "none": None}.get(query.get("tag"), f'"v{version}"')
        modified = {"none": None, "now": self.date_time_string()}.get(query.get("modified"), OLD)
        first = self.first(query, tag, modified, len(data))
        if first == "refused":
            return self.answer(416, [("Content-Range", f"bytes */{size}")])
        self.send_body(data, first, query, tag, modified)

    def first(self, query, tag, modified, size):
        """Returns the first requested byte; None for the whole file; "refused" for a range that is not possible."""
        found = re.match(r"bytes=(\d+)-$", self.headers.get("Range") or "")
        if not found or query.get("ranges") == "no":
            return None
        if query.get("ranges") == "416":
            return "refused"
        condition = self.headers.get("If-Range")
        if query.get("ranges") != "any" and condition and condition != tag and condition != modified:
            return None
        return "refused" if int(found[1]) >= size else int(found[1])

    def send_body(self, data, first, query, tag, modified):
        start = first or 0
        if query.get("ranges") == "wrong" and first:
            start = first - 1
        self.send_response(200 if first is None else 206)
        if tag:
            self.send_header("ETag", tag)
        if modified:
            self.send_header("Last-Modified", modified)
        if first is not None:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if "chunked" in query:
            self.send_header("Connection", "close")
        elif "endless" not in query:
            self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        body = data[start:]
        if "cut" in query and first is None:
            self.wfile.write(body[:int(query["cut"])])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if "stall" in query and first is None:
            self.wfile.write(body[:int(query["stall"])])
            self.wfile.flush()
            time.sleep(600)
        if "endless" in query:
            while True:
                self.wfile.write(body)
        rate = int(query.get("rate", 0))
        step = max(rate // 50, 1) if rate else 65536
        for place in range(0, len(body), step):
            self.wfile.write(body[place:place + step])
            if rate:
                self.wfile.flush()
                time.sleep(step / rate)
        if "chunked" in query:
            self.close_connection = True

    def do_PUT(self):
        path, query = self.query()
        if "status" in query:
            self.note()
            self.close_connection = True
            fields = [("Location", query["to"])] if "to" in query else []
            if "to" in query:
                self.rfile.read(int(self.headers["Content-Length"]))
            return self.answer(int(query["status"]), fields)
        data = self.rfile.read(int(self.headers["Content-Length"]))
        expected = content(len(data), int(query.get("version", 1)))
        self.note(f" body={len(data)} {'equal' if data == expected else 'different'}")
        self.answer(201)

    do_POST = do_PUT


class Proxy(Handler):
    """A proxy that does not contact the server: it answers each request itself. Requires the user a:b for /secret."""

    def query(self):
        parts = urllib.parse.urlsplit(self.path)
        return parts.path, dict(urllib.parse.parse_qsl(parts.query))

    def get(self, path, query):
        if path.startswith("/secret") and self.headers["Proxy-Authorization"] != "Basic YTpi":
            return self.answer(407, [("Proxy-Authenticate", 'Basic realm="proxy"')])
        super().get(path, query)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    context = None

    def handle_error(self, request, address):
        # The carrier ends connections at any time; only other errors are reported.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, address)

    def finish_request(self, request, address):
        if self.context:
            try:
                request = self.context.wrap_socket(request, server_side=True)
            except OSError:
                return
        super().finish_request(request, address)


def take(stream, count):
    data = b""
    while len(data) < count:
        more = stream.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def serve_http2(listener, context):
    """Answers each HTTP/2 request with the first 60,000 bytes of version 1."""
    def frame(kind, flags, stream, body):
        return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body

    def converse(raw):
        stream = context.wrap_socket(raw, server_side=True)
        log(f"protocol {stream.selected_alpn_protocol()}")
        take(stream, 24)
        stream.sendall(frame(4, 0, 0, b""))
        data = content(60_000, 1)
        while True:
            head = take(stream, 9)
            body = take(stream, int.from_bytes(head[:3], "big"))
            kind, flags, number = head[3], head[4], int.from_bytes(head[5:], "big")
            if kind == 4 and not flags & 1:
                stream.sendall(frame(4, 1, 0, b""))
            elif kind == 1:
                log("HTTP/2 request")
                # The static table of HPACK: 8 is the status 200, 28 is content-length, and 34 is etag.
                length = str(len(data)).encode()
                fields = b"\x88" + b"\x0f\x0d" + bytes([len(length)]) + length + b"\x0f\x13" + b"\x04\"v1\""
                stream.sendall(frame(1, 4, number, fields))
                for place in range(0, len(data), 16_384):
                    part = data[place:place + 16_384]
                    stream.sendall(frame(0, 1 if place + 16_384 >= len(data) else 0, number, part))

    def safely(raw):
        try:
            converse(raw)
        except (OSError, EOFError):
            pass

    while True:
        raw, _ = listener.accept()
        threading.Thread(target=safely, args=(raw,), daemon=True).start()


def start(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def certificate():
    """Makes a certificate for loopback. Returns contexts for HTTP/1.1 and HTTP/2; None without openssl."""
    paths = [os.path.join(FOLDER, name) for name in ("certificate", "key")]
    try:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", paths[0], "-keyout",
             paths[1]], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    contexts = []
    for protocol in ("http/1.1", "h2"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*paths)
        context.set_alpn_protocols([protocol])
        contexts.append(context)
    return contexts


def main():
    address = (ADDRESS, 0)
    ports = {"http": start(Server(address, Handler)), "proxy": start(Server(address, Proxy))}
    contexts = certificate()
    if contexts:
        secure = Server(address, Handler)
        secure.context = contexts[0]
        ports["https"] = start(secure)
        if ADDRESS == "127.0.0.1":
            other = Server(("127.0.0.2", 0), Handler)
            other.context = contexts[0]
            ports["other"] = start(other)
        listener = socket.create_server(address)
        ports["http2"] = listener.getsockname()[1]
        threading.Thread(target=serve_http2, args=(listener, contexts[1]), daemon=True).start()
    closed = socket.socket()
    closed.bind(address)
    ports["closed"] = closed.getsockname()[1]
    print(json.dumps(ports), flush=True)
    # The end of the standard input ends the server together with the test.
    sys.stdin.read()


main()
