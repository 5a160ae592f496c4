/// One check: what it needs, what it may take, and what it does.
struct Step: Sendable {
  let name: String
  /// What the step shows, for `--list`.
  let summary: String
  /// Programs that the step cannot do without; it is skipped where one is missing.
  var needs: [Tool] = []
  /// What is built before the step begins, once for all steps that name it.
  var builds: [Build] = []
  /// How long the step itself may take at the sizes of the gate, in seconds; the table marks a step that takes longer.
  let budget: Int
  /// Whether the step runs beside its neighbours that do so too, because it waits or leaves a processor free.
  var runsBeside = false
  /// The file that keeps what the step printed; the lines of it that tell of failures come after the table.
  var log: String?
  let body: @Sendable (Workspace) throws(StepProblem) -> Void
}

/// A program that a step starts and that no Swift toolchain has.
struct Tool: Hashable, Sendable {
  let name: String
  /// The package of Debian and Ubuntu that holds the program.
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

/// Why a step does not pass.
enum StepProblem: Error {
  /// The step found something; the text is one sentence.
  case failed(String)
  /// The step cannot run here, which is no failure; the text says what is missing.
  case skipped(String)
}

/// What became of a step.
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
  /// Lines of the step's log that tell of failures.
  var findings: [String] = []
  /// Parts of a step that could not run here.
  var leftOut: [String] = []
}
