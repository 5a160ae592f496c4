/// The steps that run the program as its operators and plugin authors do.
enum ProgramSteps {
  static let smoke = Step(
    name: "smoke",
    summary: "README's main command prints what README shows; shipped policies have no problems",
    builds: [.release], budget: 120
  ) { workspace throws(StepProblem) in try workspace.script("smoke") }

  /// One folder of products for all of the plugins, so that what they share is built once.
  static let packages = Step(
    name: "packages", summary: "each folder of Plugins is a package of its own whose tests pass", budget: 600
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      for plugin in Plugins/*/; do
        [ ! -f "$plugin/Package.swift" ] || swift test --package-path "$plugin" --scratch-path .build/plugins
      done
      """)
  }

  static let templates = Step(
    name: "templates", summary: "a new plugin in each language keeps every rule; broken ones are found",
    needs: [.python, .make, .compiler], builds: [.release], budget: 300
  ) { workspace throws(StepProblem) in try workspace.script("templates") }

  /// STINT_KILLS says how often a child at work is killed.
  static let strangers = Step(
    name: "strangers", summary: "plugins in processes of their own, as an operator runs them",
    needs: [.python], builds: [.debug], budget: 120, runsBeside: true
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      "timeout -k 5 1800 python3 Plugins/Thermometer/Tests/strangers.py \"$STINT_DEBUG\" \"$PWD\"")
  }

  static let daemon = Step(
    name: "daemon",
    summary: "daemons under signals, restarts, clock changes, moved folders and blocked files",
    needs: [.python], builds: [.debug], budget: 120, runsBeside: true
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      timeout -k 5 300 python3 Tests/Daemon/survive.py "$STINT_DEBUG"
      timeout -k 5 300 python3 Tests/Loop/stuck.py "$STINT_DEBUG"
      """)
  }

  static let schemas = Step(
    name: "schemas", summary: "what each --json prints matches its schema, by a validator that is not ours",
    needs: [.python], builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in try workspace.script("schemas") }

  static let hardware = Step(
    name: "hardware", summary: "the program on a real gpsd, and on sensors under umockdev",
    needs: [.gpsd, .python], builds: [.debug], budget: 120, runsBeside: true
  ) { workspace throws(StepProblem) in try workspace.script("hardware") }

  static let soak = Step(
    name: "soak", summary: "two daemons under random edits, signals, kills, blocked files and clock steps",
    needs: [.python], builds: [.release], budget: 4000
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      "python3 Tests/Soak/soak.py \"$STINT\" \"$PWD\" --minutes \"$STINT_SOAK\" --clock-steps")
  }

  static let editor = Step(
    name: "editor", summary: "the language server as Neovim's own client sees it", needs: [.neovim],
    builds: [.debug], budget: 300
  ) { workspace throws(StepProblem) in try workspace.script("editor") }

  static let oracle = Step(
    name: "oracle", summary: "the simulator's prices are those of the offline yardsticks", needs: [.python],
    builds: [.release], budget: 3600
  ) { workspace throws(StepProblem) in try workspace.script("oracle") }

  static let tune = Step(
    name: "tune", summary: "tuned parameters spend less, also on tracks that were held back",
    builds: [.release], budget: 3600
  ) { workspace throws(StepProblem) in try workspace.script("tune") }

  static let report = Step(
    name: "report", summary: "report pages as a browser shows them", needs: [.python], builds: [.release],
    budget: 1800
  ) { workspace throws(StepProblem) in try workspace.script("report") }
}
