import StintSystem
import StintUnits

/// An open file, closed when its last reference is released.
final class JournalFile: JournalStorage {
  let path: String
  private let descriptor: Int32
  /// Simulates a full disk, in tests and for the fault `disk` of a scenario; nil without a
  /// simulation.
  private let room: DiskFullSwitch?

  private init(path: String, descriptor: Int32, room: DiskFullSwitch? = nil) {
    self.path = path
    self.descriptor = descriptor
    self.room = room
  }

  deinit { _ = close(descriptor) }

  static func reading(_ path: String) throws(Problem) -> JournalFile {
    try opening(path, O_RDONLY | O_CLOEXEC)
  }

  /// Opens a file for reading and appending, and locks it. Throws `Problem` with the code `inUse` when
  /// another process holds the lock.
  static func appending(
    _ path: String, creating: Bool, room: DiskFullSwitch? = nil
  ) throws(Problem) -> JournalFile {
    let creation = creating ? O_CREAT | O_EXCL : 0
    let file = try opening(path, O_RDWR | O_APPEND | O_CLOEXEC | creation, room)
    if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw Problem(
        .inUse, place: path, cause: "another process is writing this journal",
        remedy: "stop that process, or write to another file")
    }
    return file
  }

  private static func opening(
    _ path: String, _ flags: Int32, _ room: DiskFullSwitch? = nil
  ) throws(Problem) -> JournalFile {
    while true {
      let descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY, 0o640)
      if descriptor >= 0 {
        let file = JournalFile(path: path, descriptor: descriptor, room: room)
        guard file.isRegular else {
          throw Problem(
            .refused, place: path, cause: "it is not a regular file", remedy: "give the path of a journal")
        }
        return file
      }
      if errno != EINTR { throw failure(errno, path, offset: nil, doing: "opened") }
    }
  }

  private var isRegular: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Reads the next bytes of the file into the buffer. Returns their number; 0 at the end of the file.
  ///
  /// - Parameter offset: the offset of these bytes, which only an error message uses.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Problem) -> Int {
    while true {
      let count = StintSystem.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw Self.failure(errno, path, offset: offset, doing: "read") }
    }
  }

  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Problem) {
    var done = 0
    while done < bytes.count {
      let count = writeSome(UnsafeRawBufferPointer(rebasing: bytes[done...]))
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw Self.failure(errno, path, offset: offset + Int64(done), doing: "written")
      }
    }
  }

  /// Writes as many bytes as possible. Returns their number, or -1 with `errno` set.
  private func writeSome(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard room?.isFull != true else {
      errno = ENOSPC
      return -1
    }
    return write(descriptor, bytes.baseAddress, bytes.count)
  }

  func truncate(to length: Int64) throws(Problem) {
    if ftruncate(descriptor, off_t(length)) != 0 {
      throw Self.failure(errno, path, offset: length, doing: "shortened")
    }
  }

  func synchronize() throws(Problem) { try Self.synchronize(descriptor, path) }

  func synchronization() -> (@Sendable () throws(Problem) -> Void)? {
    // Duplicate the descriptor, because the journal may switch to another file before the call.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    return { [path] () throws(Problem) in
      defer { _ = close(copy) }
      try Self.synchronize(copy, path)
    }
  }

  private static func synchronize(_ descriptor: Int32, _ path: String) throws(Problem) {
    #if canImport(Darwin)
      let result = fsync(descriptor)
    #else
      let result = fdatasync(descriptor)
    #endif
    // Some file systems do not support synchronization. This is not an error.
    if result != 0, errno != EINVAL, errno != EROFS {
      throw failure(errno, path, offset: nil, doing: "synchronized to the disk")
    }
  }

  var placeTest: @Sendable () -> Bool {
    {
      var mine = stat()
      var named = stat()
      guard fstat(self.descriptor, &mine) == 0, stat(self.path, &named) == 0 else { return false }
      return mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
    }
  }

  /// Returns the size of the file in bytes.
  func length() throws(Problem) -> Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Self.failure(errno, path, offset: nil, doing: "measured")
    }
    return Int64(status.st_size)
  }

  private static func remedy(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "check the permissions"
    case EROFS: "choose a path on another file system"
    default: "check the disk"
    }
  }

  /// Returns the problem for an `errno` value. `doing` completes the phrase “the file cannot be …”.
  static func failure(_ number: Int32, _ path: String, offset: Int64?, doing: String) -> Problem {
    switch number {
    case ENOENT:
      Problem(.notFound, place: path, cause: "there is no such file", remedy: "check the name and the folder")
    case EEXIST:
      Problem(
        .exists, place: path, cause: "the file already exists",
        remedy: "choose another name, or remove the file")
    case EFBIG:
      Problem(
        .full, place: Problem.Place(path, byte: offset),
        cause: "the file would exceed a size limit of the process or of the disk",
        remedy: "raise the limit (ulimit -f); the records written before are complete")
    case ENOSPC, EDQUOT:
      Problem(
        .full, place: Problem.Place(path, byte: offset), cause: "the disk is full",
        remedy: "free some space; the records written before are complete")
    case EISDIR:
      Problem(.refused, place: path, cause: "this is a folder, not a file", remedy: "give the path of a file")
    default:
      Problem(
        .refused, place: Problem.Place(path, byte: offset),
        cause: "the file cannot be \(doing): \(String(cString: strerror(number)))",
        remedy: Self.remedy(number))
    }
  }
}
