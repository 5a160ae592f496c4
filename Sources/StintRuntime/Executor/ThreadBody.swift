import CStintRuntime

/// The name of a new thread and the closure that it runs, passed through a C pointer.
final class ThreadBody: Sendable {
  private let name: StaticString
  private let body: @Sendable () -> Void

  init(_ name: StaticString, _ body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }

  /// The entry point of all threads: names the thread, runs the closure behind the pointer and releases it.
  static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument {
      let thread = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
      // A literal ends with a zero byte, which the C function needs.
      thread.name.utf8Start.withMemoryRebound(to: CChar.self, capacity: thread.name.utf8CodeUnitCount + 1) {
        stint_name_thread($0)
      }
      thread.body()
    }
    return nil
  }
}
