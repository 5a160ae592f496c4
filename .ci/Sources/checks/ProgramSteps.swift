/// The steps that run the program in the same way as operators and plugin authors.
enum ProgramSteps {
  static let smoke = Step(
    name: "smoke",
    summary: "README's main command prints what README shows; shipped policies have no problems",
    builds: [.release], budget: 120
  ) { workspace throws(StepProblem) in try workspace.script("smoke") }

  /// All packages share one build folder, so the modules that they have in common are built once.
  static let packages = Step(
    name: "packages",
    summary: "plugin packages pass their tests; the guides' code builds and runs in a separate package",
    budget: 600
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      for plugin in Plugins/*/; do
        [ ! -f "$plugin/Package.swift" ] || swift test --package-path "$plugin" --scratch-path .build/plugins
      done
      """)
    try workspace.script("guides")
  }

  static let transfers = Step(
    name: "transfers",
    summary: "the HTTP carrier works in a daemon, resumes after a kill, and uses only its network interface",
    needs: [.python], builds: [.debug], budget: 180
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      swift build --package-path Plugins/Transfers --scratch-path .build/plugins --product stint-transfers
      timeout -k 5 300 python3 Plugins/Transfers/Tests/transfers.py "$STINT_DEBUG" .build/plugins/debug/stint-transfers "$PWD"
      """)
  }

  static let embedding = Step(
    name: "embedding",
    summary: "an app in a package of its own embeds Stint, by path and by a file:// URL", budget: 600,
    log: ".build/embedding.log"
  ) { workspace throws(StepProblem) in try workspace.script("embedding") }

  static let templates = Step(
    name: "templates",
    summary: "a new plugin in each language passes plugin check, and defective plugins fail it",
    needs: [.python, .make, .compiler], builds: [.release], budget: 300
  ) { workspace throws(StepProblem) in try workspace.script("templates") }

  /// STINT_KILLS is the number of times that a working child process is killed.
  static let strangers = Step(
    name: "strangers", summary: "plugins in separate processes work, fail safely and are contained",
    needs: [.python], builds: [.debug], budget: 120, canRunInParallel: true
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      timeout -k 5 120 python3 Plugins/Thermometer/Tests/versions.py "$PWD"
      timeout -k 5 1800 python3 Plugins/Thermometer/Tests/strangers.py "$STINT_DEBUG" "$PWD"
      """)
  }

  static let daemon = Step(
    name: "daemon",
    summary: "daemons survive signals, restarts and clock steps, and serve clients and radios",
    needs: [.python], builds: [.debug], budget: 240, canRunInParallel: true
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      timeout -k 5 300 python3 Tests/Daemon/survive.py "$STINT_DEBUG"
      timeout -k 5 300 python3 Tests/Daemon/requests.py "$STINT_DEBUG"
      timeout -k 5 300 python3 Tests/Daemon/clients.py "$STINT_DEBUG" "$PWD"
      timeout -k 5 300 python3 Tests/Daemon/radio.py "$STINT_DEBUG" "$PWD"
      timeout -k 5 300 python3 Tests/Daemon/carrier.py "$STINT_DEBUG" "$PWD"
      timeout -k 5 3600 python3 Tests/Daemon/lifetimes.py "$STINT_DEBUG" "$STINT_LIVES"
      """)
  }

  static let files = Step(
    name: "files", summary: "daemons answer clients while files, disks or readers of the log do not respond",
    needs: [.python], builds: [.debug], budget: 400, canRunInParallel: true
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      timeout -k 5 500 python3 Tests/Daemon/files.py "$STINT_DEBUG"
      timeout -k 5 300 python3 Tests/Loop/stuck.py "$STINT_DEBUG"
      """)
  }

  static let schemas = Step(
    name: "schemas", summary: "each --json output matches its schema, according to an independent validator",
    needs: [.python], builds: [.release], budget: 60
  ) { workspace throws(StepProblem) in try workspace.script("schemas") }

  static let hardware = Step(
    name: "hardware", summary: "the program works with a real gpsd, and with sensors under umockdev",
    needs: [.gpsd, .python], builds: [.debug], budget: 120, canRunInParallel: true
  ) { workspace throws(StepProblem) in try workspace.script("hardware") }

  static let soak = Step(
    name: "soak", summary: "two daemons survive random edits, signals, kills, blocked files and clock steps",
    needs: [.python], builds: [.release], budget: 4000
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      "python3 Tests/Soak/soak.py \"$STINT\" \"$PWD\" --minutes \"$STINT_SOAK\" --clock-steps")
  }

  static let hardening = Step(
    name: "hardening", summary: "a daemon survives slow files, silent sensors, a full disk and a blocked log",
    needs: [.python], builds: [.release], budget: 4400
  ) { workspace throws(StepProblem) in
    try workspace.bash("python3 Tests/Soak/hardening.py \"$STINT\" \"$PWD\" --minutes \"$STINT_SOAK\"")
  }

  static let editor = Step(
    name: "editor", summary: "the language server works with Neovim's client", needs: [.neovim],
    builds: [.debug], budget: 300
  ) { workspace throws(StepProblem) in try workspace.script("editor") }

  static let oracle = Step(
    name: "oracle",
    summary: "the simulator and an independent calculation agree on the energy of a plan within 0.1 %",
    needs: [.python], builds: [.release], budget: 3600
  ) { workspace throws(StepProblem) in try workspace.script("oracle") }

  static let tune = Step(
    name: "tune", summary: "tuned parameters use less energy, also on validation tracks",
    builds: [.release], budget: 3600
  ) { workspace throws(StepProblem) in try workspace.script("tune") }

  static let report = Step(
    name: "report", summary: "a browser shows report pages correctly", needs: [.python], builds: [.release],
    budget: 1800
  ) { workspace throws(StepProblem) in try workspace.script("report") }
}
