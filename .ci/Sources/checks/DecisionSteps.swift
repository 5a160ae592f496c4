/// The steps that compare decision logs: equal input must give equal bytes.
enum DecisionSteps {
  static let repeatability = Step(
    name: "repeatability",
    summary: "the decision log is equal in repeated runs, in both builds, and with 1 to 8 threads",
    builds: [.release, .debug], budget: 120
  ) { workspace throws(StepProblem) in
    let (debug, release) = (workspace.debugStint, workspace.stint)
    var hashes: [String] = []
    for (program, threads) in [(release, 1), (release, 1), (release, 2), (debug, 1), (debug, 2)] {
      hashes.append(try hash(workspace, program, "--scenario day-hike --seed 1 --threads \(threads)"))
    }
    try expectOne(hashes, "seed 1 of day-hike")
    for seed in 1...workspace.sizes["STINT_SEEDS"] {
      var hashes: [String] = []
      for program in [release, debug] {
        for threads in [1, 2, 8] {
          hashes.append(
            try hash(workspace, program, "--scenario commute --seed \(seed) --threads \(threads)"))
        }
      }
      try expectOne(hashes, "seed \(seed) of commute")
    }
  }

  static let reloads = Step(
    name: "reloads", summary: "reloads of the policy in force do not change the decision log",
    builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in
    let count = workspace.sizes["STINT_RELOADS"]
    for seed in 1...workspace.sizes["STINT_DAYS"] {
      let plain = try hash(workspace, workspace.stint, "--scenario day-hike --seed \(seed)")
      let reloaded = try hash(
        workspace, workspace.stint, "--scenario day-hike --seed \(seed) --reloads \(count)")
      try expectOne([plain, reloaded], "seed \(seed), \(count) reloads")
    }
  }

  static let days = Step(
    name: "days",
    summary: "on random days, no device is on without a complete cause, and the energy accounts balance",
    builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in try workspace.script("days") }

  private static func hash(
    _ workspace: Workspace, _ program: String, _ options: String
  ) throws(StepProblem) -> String {
    try workspace.output(
      """
      "\(program)" sim policies/hiking.stint \(options) --json \
        | sed -n 's/.*"decision_log_sha256": *"\\([0-9a-f]*\\)".*/\\1/p'
      """)
  }

  private static func expectOne(_ hashes: [String], _ what: String) throws(StepProblem) {
    guard let first = hashes.first, !first.isEmpty, hashes.allSatisfy({ $0 == first }) else {
      throw .failed("\(what): the decision logs differ: \(hashes.joined(separator: " "))")
    }
    print("\(what): \(hashes.count) runs, \(first)")
  }
}
