/// The steps that test Stint with random policies, random faults and hostile input, or measure it. They use
/// `stint-lab` and the programs of Tests/Fuzz.
enum LabSteps {
  static let differential = Step(
    name: "differential", summary: "decisions of random policies equal those of the reference, line by line",
    builds: [.release], budget: 120
  ) { workspace throws(StepProblem) in
    let count = workspace.sizes["STINT_DIFFERENTIAL"]
    let half = count / 2
    try workspace.beside([
      "\"$LAB\" contests --seed 0 --count \(half) --share 500",
      "\"$LAB\" contests --seed \(half) --count \(count - half) --share 500",
    ])
    // Runs each policy twice: with sources that are read on request, and with sources that publish every
    // value. The decisions must be equal.
    try workspace.bash("\"$LAB\" contests readings --seed 0 --count \(workspace.sizes["STINT_READINGS"])")
  }

  static let swarms = Step(
    name: "swarms", summary: "days with random faults under every policy break no invariant",
    builds: [.release], budget: 300
  ) { workspace throws(StepProblem) in
    let count = workspace.sizes["STINT_SWARMS"]
    let scenarios = ["commute", "day-hike", "warehouse-shift"]
    var lines: [String] = []
    for (number, policy) in (["none"] + (try workspace.policies)).enumerated() {
      let first = 1 + number * count
      lines.append(
        "\"$LAB\" swarm \(policy) --scenario \(scenarios[first % 3]) --seed \(first) --count \(count)")
    }
    // Runs two lists of commands at the same time, because the smallest machine for the checks has
    // two processors.
    try workspace.beside(
      [0, 1].map { half in
        lines.enumerated().filter { $0.offset % 2 == half }.map(\.element).joined(separator: "\n")
      })
  }

  static let kills = Step(
    name: "kills", summary: "processes that are killed at random instants lose no acknowledged data",
    builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      folder="$(mktemp -d)"
      "$LAB" kills "$folder" "$STINT" policies/hiking.stint --count \(workspace.sizes["STINT_KILLS"])
      rm -r "$folder"
      """)
  }

  static let escapes = Step(
    name: "escapes", summary: "no attempt to escape from the containment succeeds, also without namespaces",
    builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in try workspace.bash("Tests/Daemon/containment.sh \"$LAB\"") }

  static let benchmarks = Step(
    name: "benchmarks", summary: "after loading, a step of the governor calls no allocator and takes no lock",
    needs: [Tool("clang")], builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in try workspace.script("benchmarks") }

  static let images = Step(
    name: "images", summary: "truncated images and images with a flipped bit are rejected or run safely",
    builds: [.release], budget: 3600
  ) { workspace throws(StepProblem) in try workspace.script("images") }

  static let fuzz = Step(
    name: "fuzz", summary: "no stage traps on any input of a coverage-guided fuzzer",
    needs: [Tool("clang")],
    budget: 7200
  ) { workspace throws(StepProblem) in try workspace.script("fuzz") }
}
