import Glibc

/// The program that `.ci/run` and `.ci/long` start: `checks gate|long [--list] [--install] [--skip-build]
/// [STEP…]`.
@main struct Main {
  /// The steps that must pass before a change is accepted.
  private static let gate = [
    CodeSteps.lint, CodeSteps.words, CodeSteps.tests, CodeSteps.release, CodeSteps.acceptance,
    CodeSteps.behaviours,
    ProgramSteps.smoke, ProgramSteps.packages, ProgramSteps.transfers, ProgramSteps.embedding,
    ProgramSteps.templates, ProgramSteps.schemas, ProgramSteps.strangers, ProgramSteps.daemon,
    ProgramSteps.files, ProgramSteps.hardware,
    DecisionSteps.repeatability, DecisionSteps.reloads, DecisionSteps.days, LabSteps.swarms,
    LabSteps.differential, LabSteps.benchmarks, LabSteps.kills, LabSteps.escapes,
    CodeSteps.skips,
  ]

  /// The steps that need hours. They run before a release, and before a figure that they measure is
  /// published.
  private static let long = [
    ProgramSteps.soak, ProgramSteps.hardening, ProgramSteps.daemon, ProgramSteps.files,
    ProgramSteps.hardware, CodeSteps.tests,
    CodeSteps.acceptance,
    CodeSteps.behaviours,
    DecisionSteps.repeatability, DecisionSteps.reloads,
    DecisionSteps.days, LabSteps.swarms, LabSteps.differential, LabSteps.images, LabSteps.kills,
    LabSteps.fuzz, CodeSteps.threads, ProgramSteps.editor, ProgramSteps.oracle, ProgramSteps.tune,
    ProgramSteps.report,
  ]

  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    guard let name = words.first, name == "gate" || name == "long" else {
      fatal("usage: checks gate|long [--list] [--install] [--skip-build] [STEP...]")
    }
    words.removeFirst()
    let own = name == "gate" ? gate : long
    let other = name == "gate" ? long : gate
    let known = own + other.filter { step in !own.contains { $0.name == step.name } }
    let isListing = words.contains("--list")
    let installs = words.contains("--install")
    let skipsBuild = words.contains("--skip-build")
    words.removeAll { ["--list", "--install", "--skip-build"].contains($0) }
    // A step that is named twice is run only once.
    var steps: [Step] = []
    for word in words {
      guard let step = known.first(where: { $0.name == word }) else {
        fatal("unknown step “\(word)”; the steps are \(known.map(\.name).joined(separator: " "))")
      }
      if !steps.contains(where: { $0.name == word }) { steps.append(step) }
    }
    if steps.isEmpty { steps = own }
    if isListing { return list(steps) }
    let workspace = Workspace(root: Workspace.repository, sizes: name == "gate" ? .gate : .long)
    if installs { install(for: steps) }
    var run = Run(workspace, skipsBuild: skipsBuild)
    exit(run.all(steps) ? 0 : 1)
  }

  private static func list(_ steps: [Step]) {
    for step in steps {
      print(step.name + String(repeating: " ", count: max(1, 15 - step.name.count)) + step.summary)
      let needs = step.needs.map(\.name) + step.builds.map { "the \($0.rawValue) build" }
      let line = needs.isEmpty ? "" : "; needs " + needs.joined(separator: ", ")
      print(String(repeating: " ", count: 15) + "at most \(step.budget) s at the sizes of the gate" + line)
    }
  }

  /// Installs missing programs with the package manager of Debian and Ubuntu. A step whose program cannot be
  /// installed is skipped.
  private static func install(for steps: [Step]) {
    let missing = Set(steps.flatMap(\.needs)).filter { !Run.isInstalled($0.name) }.map(\.package).sorted()
    if missing.isEmpty { return }
    let line =
      "apt-get update -qq && apt-get install -y -qq --no-install-recommends \(missing.joined(separator: " "))"
    _ = Command(line, folder: Workspace.repository, environment: [:]).run()
  }
}
