import StintPluginKit
import StintUnits

/// Starts a plugin's process once.
///
/// A separate thread reads and checks the program's files and then starts the process, so a slow or
/// unreadable file delays only this device.
///
/// The thread waits until the process has ended. If the thread ended earlier, the kernel would kill the
/// process (`PR_SET_PDEATHSIG`).
final class ChildStart: Sendable {
  enum Result: Sendable {
    case started(SpawnedChild, ChildRing?)
    case failed(ChildFailure)
  }

  private let program: ChildProgram
  private let loop: any PluginLoop
  /// Called on the loop's thread.
  private let report: @Sendable (Result) -> Void

  /// Begins the start and returns at once. On a loop without threads, starts the process on the
  /// calling thread.
  ///
  /// - Parameter report: receives the result, on the thread of the loop, after this call.
  @discardableResult
  init(_ program: ChildProgram, on loop: any PluginLoop, report: @escaping @Sendable (Result) -> Void) {
    self.program = program
    self.loop = loop
    self.report = report
    if loop.runOnThread({ self.run() }) { return }
    let result = start()
    _ = loop.call(after: .zero) { report(result) }
  }

  private func run() {
    var result = start()
    var waitForEnd: () -> Void = {}
    if case .started(var child, let ring) = result {
      waitForEnd = child.endWait()
      result = .started(child, ring)
    }
    _ = loop.call(after: .zero) { [report, result] in report(result) }
    waitForEnd()
  }

  private func start() -> Result {
    do throws(ChildFailure) {
      let files = try program.files()
      let ring = ChildRing()
      return .started(try SpawnedChild(program, files, ring), ring)
    } catch {
      return .failed(error)
    }
  }
}
