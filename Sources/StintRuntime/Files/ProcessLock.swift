#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a second process from using what one process uses: a file `NAME.lock` that is locked while this value lives.
///
/// The system lets the lock go when the process ends, however it ends, so a lock that was left behind holds
/// nothing. The file names the process for messages, and is removed when the lock is let go.
public final class ProcessLock: Sendable {
  /// Why a lock was not taken.
  public enum Failure: Error, Hashable, Sendable {
    /// Another process has it; its number, where the file tells.
    case held(by: Int32?)
    /// The system refuses to make or lock the file: the error number.
    case refused(Int32)
  }

  /// The lock's file.
  public let path: String
  private let descriptor: Int32

  /// Takes the lock of what is at `subject`.
  public convenience init(of subject: String) throws(Failure) { try self.init(at: subject + ".lock") }

  /// Takes the lock whose file is at `path`.
  public init(at path: String) throws(Failure) {
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
      // The process before may have removed the file between the two calls; then this is the lock of nothing.
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
