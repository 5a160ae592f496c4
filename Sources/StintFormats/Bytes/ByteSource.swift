import StintSystem
public import StintUnits

/// A source of bytes from a file, standard input or memory, read in pieces.
package final class ByteSource {
  /// The name of the source in errors.
  package let name: String
  private let descriptor: Int32
  private let isOwned: Bool
  /// The bytes that were read but not yet returned.
  private var memory: ArraySlice<UInt8>

  /// Opens a file for reading; `-` is standard input.
  ///
  /// - Throws: a problem when the file does not exist, is a folder, or cannot be opened.
  package init(path: String) throws(Problem) {
    memory = []
    if path == "-" {
      name = "standard input"
      descriptor = STDIN_FILENO
      isOwned = false
      return
    }
    name = path
    isOwned = true
    var result: Int32
    repeat { result = open(path, O_RDONLY | O_CLOEXEC) } while result < 0 && errno == EINTR
    if result < 0 { throw Self.failure(errno, path) }
    descriptor = result
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(EISDIR, path)
    }
  }

  /// Creates a source of bytes that are already in memory.
  package init(bytes: [UInt8], name: String) {
    self.name = name
    descriptor = -1
    isOwned = false
    memory = bytes[...]
  }

  deinit { if isOwned { _ = close(descriptor) } }

  /// Appends at most `limit` bytes. Returns false at the end.
  ///
  /// - Throws: a problem when the file cannot be read.
  package func append(to bytes: inout [UInt8], limit: Int = 64 << 10) throws(Problem) -> Bool {
    if memory.isEmpty { return try read(into: &bytes, limit: limit) }
    let piece = memory.prefix(limit)
    bytes += piece
    memory = memory.dropFirst(piece.count)
    return true
  }

  /// Returns the first `count` bytes without consuming them; fewer only at the end of the source.
  ///
  /// - Throws: a problem when the file cannot be read.
  package func peek(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
    var bytes = Array(memory)
    while bytes.count < count, try read(into: &bytes, limit: 64 << 10) {}
    memory = bytes[...]
    return memory.prefix(count)
  }

  private func read(into bytes: inout [UInt8], limit: Int) throws(Problem) -> Bool {
    if descriptor < 0 { return false }
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: limit))
    while true {
      let count = bytes.withUnsafeMutableBytes {
        rawRead(descriptor, $0.baseAddress?.advanced(by: start), limit)
      }
      if count < 0 && errno == EINTR { continue }
      let number = errno
      bytes.removeLast(limit - max(count, 0))
      if count < 0 { throw Self.failure(number, name) }
      return count > 0
    }
  }

  private static func failure(_ number: Int32, _ path: String) -> Problem {
    switch number {
    case ENOENT, ENOTDIR:
      Problem(.notFound, place: path, cause: "there is no such file", remedy: "check the name and the folder")
    case EISDIR:
      Problem(.folder, place: path, cause: "this is a folder", remedy: "name a file in it")
    case EACCES, EPERM:
      Problem(.unreadable, place: path, cause: "no permission to read it", remedy: "check its permissions")
    default:
      Problem(
        .unreadable, place: path, cause: "the file cannot be read: \(String(cString: strerror(number)))",
        remedy: "check the disk")
    }
  }
}

/// Calls the system function `read`, which the method `read` of `ByteSource` hides.
private func rawRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

/// Reads files that fit in memory: policies, manifests, scenarios.
public enum WholeFile {
  /// The maximum size of a file: 64 MiB.
  public static let sizeLimit = 64 << 20

  /// Returns all bytes of a file; `-` is standard input.
  ///
  /// - Throws: a problem when the file cannot be read or is longer than `sizeLimit`.
  public static func bytes(of path: String) throws(Problem) -> [UInt8] {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    while try source.append(to: &bytes) {
      if bytes.count > sizeLimit {
        throw Problem(
          .size, place: source.name, cause: "the file is longer than \(sizeLimit >> 20) MiB",
          remedy: "check that this is the file you mean")
      }
    }
    return bytes
  }
}
