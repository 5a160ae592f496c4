/// A suspended task that must be resumed exactly once.
///
/// The type is a class because each copy of a continuation costs calls into the runtime.
final class WaitingTask<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, Never>

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  func resume(returning value: Value) { continuation.resume(returning: value) }
}
