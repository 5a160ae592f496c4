import StintSystem

/// An exclusive lock between processes: a file `NAME.lock` that is locked while this object exists.
///
/// The system releases the lock when the process ends, so a file that was left behind has no effect. The file
/// contains the process id for messages. It is removed when the lock is released.
public final class ProcessLock: Sendable {
  /// The reason why the lock could not be acquired.
  package enum Failure: Error, Hashable, Sendable {
    /// Another process holds the lock. The value is the id of that process; nil when the file contains no
    /// process id.
    case held(by: Int32?)
    /// The file cannot be created or locked. The value is the error number.
    case refused(Int32)
  }

  /// The path of the lock file.
  public let path: String
  private let descriptor: Int32

  /// Acquires the lock for the file or folder at `subject`; the lock file is `subject` with the
  /// suffix `.lock`.
  package convenience init(of subject: String) throws(Failure) { try self.init(at: subject + ".lock") }

  /// Acquires the lock with the lock file at `path`.
  package init(at path: String) throws(Failure) {
    self.path = path
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        if errno == EINTR { continue }
        throw .refused(errno)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        let holder = Self.holder(descriptor)
        close(descriptor)
        if number == EINTR { continue }
        throw number == EWOULDBLOCK ? .held(by: holder) : .refused(number)
      }
      // The previous holder may have removed the file after it was opened here. A lock on a removed file is
      // useless, so retry.
      if Self.isAt(path, descriptor) {
        self.descriptor = descriptor
        break
      }
      close(descriptor)
    }
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
  }

  deinit {
    if Self.isAt(path, descriptor) { unlink(path) }
    close(descriptor)
  }

  /// Returns true when the path still leads to the opened file.
  private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
    var mine = stat()
    var there = stat()
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0 && mine.st_ino == there.st_ino
      && mine.st_dev == there.st_dev
  }

  private static func holder(_ descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
