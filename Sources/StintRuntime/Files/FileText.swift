public import StintJournal
import StintSystem
public import StintUnits

/// Functions that read and write complete files. They hold the file in memory and block the calling thread.
///
/// A pipe is read like a file. If it sends no data for `pipeTimeout`, the read ends with an error, so a pipe
/// without a writer blocks no thread for ever. Standard input has no such limit.
public enum FileText {
  /// The maximum size of a file to read, in bytes: 64 MiB.
  public static let limit = 64 << 20
  /// The time within which a pipe must send its next data, in milliseconds.
  private static let pipeTimeout: Int32 = 3000

  /// Returns the bytes of a file. The path `-` means standard input. Throws when the file is larger
  /// than `limit`.
  public static func read(_ path: String, limit: Int = limit) throws(Problem) -> [UInt8] {
    if path == "-" { return try read(descriptor: STDIN_FILENO, path: "standard input", limit: limit) }
    let descriptor = try opened(path)
    defer { close(descriptor) }
    return try read(descriptor: descriptor, path: path, limit: limit)
  }

  /// Returns at most the first `limit` bytes of a file. The path `-` means standard input.
  public static func beginning(of path: String, atMost limit: Int) throws(Problem) -> [UInt8] {
    if path == "-" { return try beginning(descriptor: STDIN_FILENO, path: "standard input", limit: limit) }
    let descriptor = try opened(path)
    defer { close(descriptor) }
    return try beginning(descriptor: descriptor, path: path, limit: limit)
  }

  /// Opens a file for reading. Does not wait for a writer of a pipe.
  private static func opened(_ path: String) throws(Problem) -> Int32 {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .from(errno, path: path) }
    return descriptor
  }

  /// Returns the bytes of an open file up to its end.
  private static func read(descriptor: Int32, path: String, limit: Int) throws(Problem) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .from(errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > limit {
      throw .tooLarge(path: path, limit: limit)
    }
    // The size is only a hint: pipes have no size, and a file can grow while it is read.
    let bytes = try beginning(descriptor: descriptor, path: path, limit: limit + 1)
    if bytes.count > limit { throw .tooLarge(path: path, limit: limit) }
    return bytes
  }

  /// Returns the bytes of an open file up to its end or to the limit.
  private static func beginning(descriptor: Int32, path: String, limit: Int) throws(Problem) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .from(errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let waits = status.st_mode & S_IFMT != S_IFREG && descriptor != STDIN_FILENO
    while bytes.count < limit {
      if waits, !hasData(descriptor) { throw .silentPipe(path) }
      let count = readSome(descriptor, into: &buffer)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .from(errno, path: path) }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  /// Waits until a pipe or device has data or has ended. Returns false when it sends nothing in time.
  private static func hasData(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&entry, 1, pipeTimeout)
      if count >= 0 || errno != EINTR { return count != 0 }
    }
  }

  /// Replaces a file atomically: a reader gets either the old or the new bytes.
  ///
  /// An existing file keeps its permissions. A read-only file is not replaced. For a symbolic link, its
  /// target is replaced. When this call returns, the bytes are on the disk. A device or a pipe is written,
  /// not replaced.
  ///
  /// - Parameter room: simulates a full disk, in tests and for the fault `disk` of a scenario; nil
  ///   without a simulation.
  public static func write(_ bytes: [UInt8], to path: String, room: DiskFullSwitch? = nil) throws(Problem) {
    try write(bytes, to: path, room, newMode: 0o666)
  }

  /// Writes bytes as the public `write` does. A new file gets the permissions `newMode` without those in
  /// the umask.
  private static func write(
    _ bytes: [UInt8], to path: String, _ room: DiskFullSwitch?, newMode: mode_t
  ) throws(Problem) {
    let path = target(of: path)
    var status = stat()
    let exists = stat(path, &status) == 0
    try requireWritable(path)
    if exists, status.st_mode & S_IFMT != S_IFREG { return try pass(bytes, to: path, room) }
    let draft = path + ".new-\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, newMode)
    guard descriptor >= 0 else { throw .fromMaking(errno, path: path) }
    if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
    var failure = writeAll(bytes, to: descriptor, room)
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(draft, path) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(draft)
      throw .from(failure, path: path)
    }
    synchronize(folder: FilePath.parent(of: path))
  }

  /// Writes bytes as `write` does, but only when a regular file or nothing is at the path. A pipe without
  /// a reader would block the caller. Only the owner and the group can read a new file, because the file can
  /// contain positions of persons.
  ///
  /// - Throws: `Problem` also when the path is that of a pipe, a socket or a device.
  static func replace(_ bytes: [UInt8], at path: String, room: DiskFullSwitch? = nil) throws(Problem) {
    if Folder.entry(at: path) == .other {
      throw Problem(
        .refused, place: path, cause: "it is not a regular file", remedy: "move it away, or use another path")
    }
    try write(bytes, to: path, room, newMode: 0o640)
  }

  /// Writes bytes to a device or a pipe.
  private static func pass(_ bytes: [UInt8], to path: String, _ room: DiskFullSwitch?) throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .from(errno, path: path) }
    defer { close(descriptor) }
    let failure = writeAll(bytes, to: descriptor, room)
    if failure != 0 { throw .from(failure, path: path) }
  }

  /// Throws when `write` to this path would fail. The possible causes are a folder or a read-only file at the
  /// path, and a parent folder that is missing or not writable.
  public static func checkWriting(to path: String) throws(Problem) {
    guard !path.isEmpty else { throw .from(ENOENT, path: path) }
    let path = target(of: path)
    try requireWritable(path)
    // A device or a pipe is written, not replaced.
    if Folder.entry(at: path) != .other { try requireFolder(of: path) }
  }

  /// Throws when no file can be created at the path, because the parent folder is missing or not writable.
  package static func requireFolder(of path: String) throws(Problem) {
    let folder = FilePath.parent(of: path)
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .fromMaking(errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .from(ENOTDIR, path: folder) }
    guard access(folder, W_OK | X_OK) == 0 else { throw .fromMaking(errno, path: path) }
  }

  /// Throws when the path is a folder or a read-only file, which must not be replaced.
  public static func requireWritable(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    // Check explicitly: replacing a file by renaming does not need write permission for it.
    if status.st_mode & 0o222 == 0 { throw .from(EACCES, path: path) }
    if access(path, W_OK) != 0 { throw .from(errno, path: path) }
  }

  /// Returns the path with all symbolic links resolved. Returns the path itself when nothing exists there.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Writes all bytes. Returns the error number, or 0.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ room: DiskFullSwitch?) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      if room?.isFull == true { return ENOSPC }
      let count = writeSome(rest, to: descriptor)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Writes the folder entry to the disk. Some file systems do not support this; the file itself is complete
  /// in any case.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
