import StintUnits

/// The destination of a journal's bytes: a file, or a substitute in tests.
protocol JournalStorage: AnyObject, Sendable {
  /// The path for error messages.
  var path: String { get }
  /// Appends all bytes. When this call throws, a part of the bytes may have been written.
  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Problem)
  /// Truncates the file to this number of bytes.
  func truncate(to length: Int64) throws(Problem)
  /// True while `path` refers to this file. False when the file was removed or renamed, or another file has
  /// the path.
  var isInPlace: Bool { get }
  /// A function that returns the value of `isInPlace`. Any thread may call it.
  var placeTest: @Sendable () -> Bool { get }
  /// Waits until all written bytes are on the disk.
  func synchronize() throws(Problem)
  /// Returns a function that waits until all bytes written until now are on the disk. The function may be
  /// called once, from any thread. Nil when the storage cannot make such a function; then call
  /// `synchronize()`.
  func synchronization() -> (@Sendable () throws(Problem) -> Void)?
}

extension JournalStorage {
  var isInPlace: Bool { placeTest() }
  var placeTest: @Sendable () -> Bool { { true } }
  func synchronization() -> (@Sendable () throws(Problem) -> Void)? { nil }
}
