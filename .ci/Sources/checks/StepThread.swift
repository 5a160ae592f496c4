import Glibc

final class StepThread {
  private final class Box: @unchecked Sendable {
    let body: @Sendable () -> StepResult
    var result: StepResult?

    init(_ body: @escaping @Sendable () -> StepResult) { self.body = body }
  }

  private let box: Box
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> StepResult) {
    box = Box(body)
    let status = pthread_create(
      &thread, nil,
      { argument in
        let box = Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue()
        box.result = box.body()
        return nil
      }, Unmanaged.passRetained(box).toOpaque())
    guard status == 0 else { fatal("the system cannot start a thread") }
  }

  /// Waits until the step has ended, and returns its result.
  func wait() -> StepResult {
    pthread_join(thread, nil)
    guard let result = box.result else { fatal("a step has no result") }
    return result
  }
}
