public import StintUnits

/// A keeper that writes a services file on a thread of its own. So a slow disk delays no step of the host.
public final class ServicesWriter: ServicesKeeper {
  private let writer: DiskWriter
  /// Wakes the host, which then handles the result. May be called on any thread.
  private let notify: @Sendable () -> Void

  /// Creates a keeper. Its thread exists only during a write.
  ///
  /// - Parameter notify: called after each report; on any thread. It must wake the host.
  public convenience init(_ file: ServicesFile, notify: @escaping @Sendable () -> Void) {
    self.init(DiskWriter { (bytes) throws(Problem) in try file.keep(bytes) }, notify: notify)
  }

  init(_ writer: DiskWriter, notify: @escaping @Sendable () -> Void) {
    self.writer = writer
    self.notify = notify
  }

  public func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void) {
    writer.submit(content) { [notify] failure in
      report(failure)
      notify()
    }
  }
}
