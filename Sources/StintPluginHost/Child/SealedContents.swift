import CStintProcess
import StintSystem

/// A copy of a file's contents in memory. No other process can change the copy.
///
/// The bytes are in an anonymous file in memory, not in the heap. The file is written portion by portion and
/// then mapped read-only, so copying needs only one portion of heap memory.
public final class SealedContents: @unchecked Sendable {
  // The mapping is never written after `init`.
  private let start: UnsafeMutableRawPointer?
  /// The number of bytes.
  public let count: Int

  /// The size of a portion in bytes.
  private static let portion = 256 << 10

  /// Copies a regular file. Does not wait for a pipe that has no writer.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - inspect: receives all bytes in order, portion by portion.
  /// - Throws: `ChildFailure` when the path is not a regular file, is too large or cannot be read.
  package init(
    copying path: String, limit: Int, inspect: (UnsafeRawBufferPointer) -> Void
  ) throws(ChildFailure) {
    // Without these flags, opening a pipe would wait for a writer, and a terminal could become the
    // controlling terminal of the process.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw Self.failure(path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Self.failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ChildFailure(.hash, "\(path) is not a regular file").permanent
    }
    guard status.st_size <= limit else { throw Self.excess(path, limit) }
    let memory = try Self.memory(path)
    defer { close(memory) }
    count = try Self.copy(file, to: memory, path, limit, inspect)
    start = try Self.map(memory, count, path)
  }

  /// Copies an array of bytes.
  package init(_ bytes: [UInt8]) throws(ChildFailure) {
    let memory = try Self.memory("the contents")
    defer { close(memory) }
    let isWritten = bytes.withUnsafeBytes { Self.writeAll($0, to: memory) }
    guard isWritten else { throw Self.failure("the contents") }
    count = bytes.count
    start = try Self.map(memory, count, "the contents")
  }

  deinit { if let start { munmap(start, count) } }

  /// The bytes, which remain valid while this object exists; nil for no bytes.
  var bytes: UnsafePointer<UInt8>? { start.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) } }

  private static func copy(
    _ file: Int32, to memory: Int32, _ path: String, _ limit: Int,
    _ inspect: (UnsafeRawBufferPointer) -> Void
  ) throws(ChildFailure) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: portion, alignment: 16)
    defer { buffer.deallocate() }
    var total = 0
    while true {
      let count = readSome(file, into: buffer)
      if count == 0 { return total }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      total += count
      guard total <= limit else { throw excess(path, limit) }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      inspect(bytes)
      guard writeAll(bytes, to: memory) else { throw failure(path) }
    }
  }

  private static func readSome(_ file: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      Musl.read(file, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(file, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to memory: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = write(memory, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func memory(_ path: String) throws(ChildFailure) -> Int32 {
    let memory = stint_memory_file()
    guard memory >= 0 else { throw failure(path) }
    return memory
  }

  /// Maps the memory for reading. Returns its start; nil for no bytes.
  private static func map(
    _ memory: Int32, _ count: Int, _ path: String
  ) throws(ChildFailure) -> UnsafeMutableRawPointer? {
    guard count > 0 else { return nil }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, memory, 0), start != MAP_FAILED else {
      throw failure(path)
    }
    return start
  }

  /// Returns the failure for `errno`. The failure is permanent only for a missing or forbidden file. A lack
  /// of memory or descriptors, or an error of the disk, may be temporary.
  private static func failure(_ path: String) -> ChildFailure {
    let number = errno
    let failure = ChildFailure(
      .hash, "\(path) cannot be read into memory: \(String(cString: strerror(number)))")
    return [ENOENT, ENOTDIR, ELOOP, EACCES, EPERM].contains(number) ? failure.permanent : failure
  }

  private static func excess(_ path: String, _ limit: Int) -> ChildFailure {
    ChildFailure(
      .hash, "\(path) is larger than \(limit) bytes, the unused part of the limit for a plugin's files"
    ).permanent
  }
}
