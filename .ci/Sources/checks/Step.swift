/// One check: its needs, its time budget, and its action.
struct Step: Sendable {
  let name: String
  /// The claim that the step checks. `--list` prints it.
  let summary: String
  /// The programs that the step needs. The step is skipped when one of them is missing.
  var needs: [Tool] = []
  /// The builds that the step needs. Each build is made once for all steps.
  var builds: [Build] = []
  /// The time budget of the step in seconds, for the numbers of rounds that `.ci/run` uses. The table marks a
  /// step that takes longer.
  let budget: Int
  /// True when the step may run in parallel with adjacent steps for which this property is also true. Set it
  /// to true for steps that mostly wait or leave a processor idle.
  var canRunInParallel = false
  /// The file that contains the output of the step. When the step fails, the lines that report failures are
  /// printed after the table.
  var log: String?
  let body: @Sendable (Workspace) throws(StepProblem) -> Void
}

/// A program that a step starts and that the Swift toolchain does not contain.
struct Tool: Hashable, Sendable {
  let name: String
  /// The package of Debian and Ubuntu that contains the program.
  let package: String

  init(_ name: String, package: String? = nil) {
    self.name = name
    self.package = package ?? name
  }

  static let python = Tool("python3")
  static let make = Tool("make")
  static let compiler = Tool("cc", package: "gcc")
  static let gpsd = Tool("gpsd")
  static let neovim = Tool("nvim", package: "neovim")
}

/// The reason why a step did not pass.
enum StepProblem: Error {
  /// The step failed; the text is one sentence.
  case failed(String)
  /// The step cannot run here, which is not a failure; the text names the missing program or file.
  case skipped(String)
}

struct StepResult: Sendable {
  enum Verdict: Sendable {
    case done
    case failed(String)
    case skipped(String)
  }

  let name: String
  let verdict: Verdict
  let seconds: Double
  var budget: Int?
  /// The lines of the log that report failures; empty when the step did not fail.
  var findings: [String] = []
  /// The parts of a step that could not run here.
  var skipped: [String] = []
}
