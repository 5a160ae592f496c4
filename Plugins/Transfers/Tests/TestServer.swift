import StintFormats
import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A running `server.py` with its own folder. The server ends with this object.
final class TestServer {
  /// The ports of the server. `https`, `http2` and `other` are nil when openssl is missing.
  struct Ports: Decodable {
    var http = 0
    var https: Int?
    var http2: Int?
    /// The port on 127.0.0.2, whose certificate is for 127.0.0.1.
    var other: Int?
    var proxy = 0
    var closed = 0
  }

  let folder = TestFolder()
  let ports: Ports
  private let process: pid_t
  private let input: Int32

  init() throws(Problem) {
    var toServer: [Int32] = [-1, -1]
    var fromServer: [Int32] = [-1, -1]
    guard pipe(&toServer) == 0, pipe(&fromServer) == 0 else { throw .lastCall("pipe") }
    for end in toServer + fromServer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toServer[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromServer[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts[parts.count - 1] = "server.py"
    let script: String = parts.joined(separator: "/")
    let words: [String] = ["python3", script, folder.path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var process: pid_t = 0
    let number = posix_spawnp(&process, "python3", &actions, nil, arguments, environ)
    close(toServer[0])
    close(fromServer[1])
    guard number == 0 else { throw .system("posix_spawnp of python3", number) }
    self.process = process
    input = toServer[1]
    let line = Self.line(from: fromServer[0])
    close(fromServer[0])
    ports = try JSONCoding.decode(Ports.self, from: line, file: "server.py")
  }

  deinit {
    close(input)
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private static func line(from descriptor: Int32) -> [UInt8] {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != 0x0A { line.append(byte) }
    return line
  }

  /// Returns an address of the server without encryption.
  func address(_ path: String) -> String { "http://127.0.0.1:\(ports.http)/\(path)" }

  /// Returns an encrypted address of the server.
  func secureAddress(_ path: String) -> String { "https://127.0.0.1:\(ports.https ?? 0)/\(path)" }

  /// The requests until now, oldest first: the method, the path and some fields.
  var requests: [String] {
    TestFolder.text(of: folder.at("log")).split(separator: "\n").map { String($0) }
  }

  /// The ports of the clients of all requests until now, which are equal for requests over one connection.
  var clients: [String] {
    TestFolder.text(of: folder.at("clients")).split(separator: "\n").map { String($0) }
  }

  /// The number of sockets of this process that are connected to the server.
  var connections: Int {
    (0..<Int32(1024)).count { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
      }
      return result == 0 && address.sin_family == sa_family_t(AF_INET)
        && Int(UInt16(bigEndian: address.sin_port)) == ports.http
    }
  }

  /// Returns the content of `/data/SIZE`, with the version that the server uses by default.
  static func content(_ size: Int, version: Int = 1) -> [UInt8] {
    (0..<size).map { place in
      let page = place >> 8
      return UInt8(truncatingIfNeeded: (place & 255) * 167 + page * 13 + (page >> 8) * 29 + version * 7)
    }
  }
}

/// A new folder under the system's folder for temporary files, which is removed with this object.
final class TestFolder {
  let path: String

  init() {
    var template = Array("/tmp/stint-transfers.XXXXXX".utf8CString)
    let isMade = mkdtemp(&template) != nil
    precondition(isMade, "a test needs a folder")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink(at(name)) }
    rmdir(path)
  }

  func at(_ name: String) -> String { path + "/" + name }

  /// The names of the files, sorted.
  var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      names.append(String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen(at(name), "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  static func text(of path: String) -> String { String(decoding: bytes(of: path) ?? [], as: UTF8.self) }
}
