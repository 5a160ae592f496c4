/// A suspended task that is to be resumed once.
///
/// An object, because a continuation is copied and destroyed by calls into the runtime, waiting or not.
final class WaitingTask<Value: Sendable>: Sendable {
  private let continuation: CheckedContinuation<Value, Never>

  init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = continuation }

  func resume(returning value: Value) { continuation.resume(returning: value) }
}
