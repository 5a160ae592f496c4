import Glibc

/// A run of one or more steps. It makes the shared builds, runs the steps and prints a table. Steps that
/// allow it run in parallel.
struct Run {
  private let workspace: Workspace
  private var results: [StepResult] = []
  private var built: [Build: Bool] = [:]
  private let began = Self.now

  /// Prepares a run. With `skipsBuild` it uses the programs of the last build.
  init(_ workspace: Workspace, skipsBuild: Bool) {
    self.workspace = workspace
    if skipsBuild { for build in Build.allCases { built[build] = true } }
  }

  /// Runs all steps, and continues after a failure. Returns false when a step has failed; a skipped step does
  /// not count as failed.
  mutating func all(_ steps: [Step]) -> Bool {
    var rest = steps[...]
    while let first = rest.first {
      let group = first.canRunInParallel ? rest.prefix { $0.canRunInParallel } : rest.prefix(1)
      rest = rest.dropFirst(group.count)
      if group.count > 1 { runBeside(Array(group)) } else if isReady(first) { run(first) }
    }
    return summarize()
  }

  private mutating func run(_ step: Step) {
    say("\(step.name): \(step.summary)")
    let result = Self.result(of: step, workspace)
    if case .failed(let sentence) = result.verdict { say("\(step.name) FAILED: \(sentence)") }
    results.append(result)
  }

  /// Runs steps in parallel, each on a separate thread. Shows the whole output of a step before that of the
  /// next step. While earlier steps run, the builds for later steps are made.
  private mutating func runBeside(_ steps: [Step]) {
    say("in parallel: \(steps.map(\.name).joined(separator: ", "))")
    var running: [(step: Step, workspace: Workspace, thread: StepThread)] = []
    for step in steps where isReady(step) {
      let own = Workspace(workspace, for: step)
      running.append((step, own, StepThread { Self.result(of: step, own) }))
    }
    for (step, own, thread) in running {
      let result = thread.wait()
      say("\(step.name): \(step.summary)")
      own.show()
      if case .failed(let sentence) = result.verdict { say("\(step.name) FAILED: \(sentence)") }
      results.append(result)
    }
  }

  /// Makes the builds that a step needs. Returns false, and adds a row for the step to the table, when a tool
  /// is missing or a build fails.
  private mutating func isReady(_ step: Step) -> Bool {
    if let missing = step.needs.first(where: { !Self.isInstalled($0.name) }) {
      let reason = "there is no \(missing.name) here (package \(missing.package)): NOT tested"
      say("\(step.name): skipped: \(reason)")
      results.append(StepResult(name: step.name, verdict: .skipped(reason), seconds: 0))
      return false
    }
    for build in step.builds where !isBuilt(build) {
      results.append(
        StepResult(name: step.name, verdict: .failed("the \(build.rawValue) build failed"), seconds: 0))
      return false
    }
    return true
  }

  private static func result(of step: Step, _ workspace: Workspace) -> StepResult {
    _ = workspace.takeNotes()
    let began = now
    var verdict = StepResult.Verdict.done
    do throws(StepProblem) { try step.body(workspace) } catch {
      switch error {
      case .failed(let sentence): verdict = .failed(sentence)
      case .skipped(let reason): verdict = .skipped(reason)
      }
    }
    let seconds = now - began
    var result = StepResult(
      name: step.name, verdict: verdict, seconds: seconds, budget: step.budget,
      skipped: workspace.takeNotes())
    if case .failed = verdict, let log = step.log { result.findings = workspace.findings(in: log) }
    return result
  }

  /// Returns whether a build succeeded. Makes the build on the first call, and adds a row with its duration
  /// to the table.
  private mutating func isBuilt(_ build: Build) -> Bool {
    if let known = built[build] { return known }
    say("build: \(build.arguments.joined(separator: " "))")
    let began = Self.now
    let line = build.arguments.joined(separator: " ")
    let isDone = Command(line, folder: workspace.root, environment: [:]).run() == 0
    built[build] = isDone
    results.append(
      StepResult(
        name: "(build \(build.rawValue))", verdict: isDone ? .done : .failed("does not build"),
        seconds: Self.now - began))
    return isDone
  }

  private func summarize() -> Bool {
    var (failed, skipped) = (0, 0)
    say("steps")
    for result in results {
      let time =
        String(repeating: " ", count: max(0, 6 - "\(Int(result.seconds))".count)) + "\(Int(result.seconds))"
      var line = "\(time) s  \(result.name)"
      switch result.verdict {
      case .done: break
      case .failed(let sentence):
        failed += 1
        line += "  FAILED: \(sentence)"
      case .skipped(let reason):
        skipped += 1
        line += "  skipped: \(reason)"
      }
      if let budget = result.budget, result.seconds > Double(budget) {
        line += "  (its budget is \(budget) s)"
      }
      print(line)
      for part in result.skipped {
        skipped += 1
        print("          skipped in part: \(part)")
      }
    }
    // Readers of a long log begin at its end, so the findings are printed last.
    for result in results { for line in result.findings { print("\(result.name): \(line)") } }
    let total = Int(Self.now - began)
    print(
      failed == 0
        ? "\(skipped == 0 ? "all steps passed" : "no step failed"), in \(total) s; \(skipped) skipped"
        : "\(failed) failed, in \(total) s; \(skipped) skipped")
    return failed == 0
  }

  private func say(_ line: String) {
    print("\n== \(line)")
    fflush(nil)
  }

  /// Returns whether a program is in one of the folders of PATH.
  static func isInstalled(_ program: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
