import StintUnits

/// Where the bytes of a journal go: a file, or what a test puts in its place.
protocol JournalStorage: AnyObject {
  /// What errors call it.
  var path: String { get }
  /// Writes all of the bytes at the end, or throws and may have written some.
  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Problem)
  /// Cuts it to this many bytes.
  func cut(to length: Int64) throws(Problem)
  /// Whether it still has its name: false when the file was removed or another has its name.
  var isInPlace: Bool { get }
  /// Waits until everything written is on the disk.
  func synchronize() throws(Problem)
  /// What brings everything written so far to the disk; may be called once, from any thread. Nil where the caller has
  /// to wait, in `synchronize`.
  func synchronization() -> (@Sendable () throws(Problem) -> Void)?
}

extension JournalStorage {
  var isInPlace: Bool { true }
  func synchronization() -> (@Sendable () throws(Problem) -> Void)? { nil }
}
