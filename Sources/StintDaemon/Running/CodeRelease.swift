import StintModel
import StintRuntime
import StintUnits

/// Releases the memory pages of code that an idle daemon does not need.
///
/// Loading policies and answering questions execute code that the idle daemon does not need. The memory pages
/// of the code are released one second after the start, after each change of files and after each question.
/// By then, saving and answering have usually ended.
final class CodeRelease: Sendable {
  private let loop: LoopExecutor
  private let files: FileWorker
  /// Cancels the planned release, if there is one.
  private let cancel = LateCall()

  init(on loop: LoopExecutor, files: FileWorker) {
    self.loop = loop
    self.files = files
  }

  /// Plans a release in one second. This release replaces a release that is already planned. May be called
  /// from any thread.
  func plan() {
    let next = loop.call(after: .seconds(1)) { [self] in
      cancel.set(nil)
      files.start("finding the program's code", "/proc/self/maps", { ProgramText.release() }, report: {})
    }
    cancel.set(next)?()
  }
}
