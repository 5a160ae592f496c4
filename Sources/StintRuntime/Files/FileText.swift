public import StintJournal
public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and writes whole files, for texts that fit in memory. Blocks the calling thread.
public enum FileText {
  /// What is read at most: 64 MiB.
  public static let limit = 64 << 20

  /// The bytes of a file; `-` is the standard input.
  public static func read(_ path: String, limit: Int = limit) throws(Problem) -> [UInt8] {
    if path == "-" { return try read(descriptor: STDIN_FILENO, path: "standard input", limit: limit) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .from(errno, path: path) }
    defer { close(descriptor) }
    return try read(descriptor: descriptor, path: path, limit: limit)
  }

  /// The first bytes of a file, however large it is; `-` is the standard input.
  public static func beginning(of path: String, atMost limit: Int) throws(Problem) -> [UInt8] {
    if path == "-" { return try beginning(descriptor: STDIN_FILENO, path: "standard input", limit: limit) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .from(errno, path: path) }
    defer { close(descriptor) }
    return try beginning(descriptor: descriptor, path: path, limit: limit)
  }

  /// The bytes of an open file up to its end.
  private static func read(descriptor: Int32, path: String, limit: Int) throws(Problem) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .from(errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > limit {
      throw .tooLarge(path: path, limit: limit)
    }
    // The size is a hint: pipes have none, and a file can grow while it is read.
    let bytes = try beginning(descriptor: descriptor, path: path, limit: limit + 1)
    if bytes.count > limit { throw .tooLarge(path: path, limit: limit) }
    return bytes
  }

  /// The bytes of an open file up to its end or to the limit.
  private static func beginning(descriptor: Int32, path: String, limit: Int) throws(Problem) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .from(errno, path: path) }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < limit {
      let count = readSome(descriptor, into: &buffer)
      if count == 0 { break }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .from(errno, path: path) }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  /// Replaces a file in one step: a reader sees the old bytes or the new ones, never a part.
  ///
  /// An existing file keeps its permissions, and a read-only file is left as it is. Behind a symbolic link
  /// the file that it names is replaced. The new bytes are on the disk when this returns. `room` stands for
  /// the disk's own, to try what a full one does.
  public static func write(_ bytes: [UInt8], to path: String, room: DiskSpace? = nil) throws(Problem) {
    let path = target(of: path)
    var status = stat()
    let exists = stat(path, &status) == 0
    try allowWriting(to: path)
    let draft = path + ".new-\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
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

  /// Fails where `write` to this path must fail: a folder, a read-only file, no folder to make it in.
  public static func checkWriting(to path: String) throws(Problem) {
    guard !path.isEmpty else { throw .from(ENOENT, path: path) }
    let path = target(of: path)
    try allowWriting(to: path)
    let folder = FilePath.parent(of: path)
    var status = stat()
    guard stat(folder, &status) == 0 else { throw .fromMaking(errno, path: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .from(ENOTDIR, path: path) }
    guard access(folder, W_OK | X_OK) == 0 else { throw .from(errno, path: path) }
  }

  /// Fails where a file is there that must not be replaced: a folder, or a read-only file.
  public static func allowWriting(to path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR { throw .from(EISDIR, path: path) }
    // A new file in its place would need no permission of the old one.
    if status.st_mode & 0o222 == 0 || access(path, W_OK) != 0 { throw .from(EACCES, path: path) }
  }

  /// The file that a path names when all symbolic links are followed; the path itself when it names none.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The error number, or 0.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ room: DiskSpace?) -> Int32 {
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

  /// Makes a new name last through a loss of power. Some file systems cannot; then the file itself still is
  /// whole.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
