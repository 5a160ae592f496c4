/// The steps that look at the code itself: its layout, its tests, its build.
enum CodeSteps {
  private static let shipping = Build.shipping.joined(separator: " ")

  static let lint = Step(
    name: "lint", summary: "the layout of all files is that of swift format", budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      swift format lint --strict -r Sources Plugins Tests Package.swift .ci/Package.swift .ci/Sources
      echo "layout is clean: $(find Sources Plugins Tests .ci/Sources -name '*.swift' | wc -l) files"
      """)
  }

  /// README's second command, in the tier that it has for everybody; the long run sets its own.
  static let tests = Step(
    name: "tests", summary: "the tests of each module, as README runs them", budget: 900, runsBeside: true,
    log: ".build/tests.log"
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      mkdir -p .build
      [ "$STINT_TIER" = long ] || unset STINT_TIER
      swift test --no-parallel 2>&1 | tee .build/tests.log
      """)
  }

  static let acceptance = Step(
    name: "acceptance", summary: "the numbered behaviours, on the release build", builds: [.release],
    budget: 300, log: ".build/acceptance.log"
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      export STINT_TESTS=acceptance
      swift build --build-tests \(shipping) --explicit-target-dependency-import-check error
      swift test --skip-build \(shipping) --no-parallel 2>&1 | tee .build/acceptance.log
      """)
  }

  static let behaviours = Step(
    name: "behaviours", summary: "every numbered behaviour has a test, and all of its tests held", budget: 10
  ) { workspace throws(StepProblem) in
    guard Workspace.isFile(".build/tests.log"), Workspace.isFile(".build/acceptance.log") else {
      throw .skipped("tests and acceptance have not run here: NOT counted")
    }
    try workspace.bash(".ci/behaviours .build/tests.log .build/acceptance.log")
  }

  static let release = Step(
    name: "release", summary: "every product builds for release without a warning", builds: [.release],
    budget: 10, runsBeside: true
  ) { workspace throws(StepProblem) in
    try workspace.bash("ls -l \"$(readlink -f \"$STINT\")\" \"$(readlink -f \"$LAB\")\"")
  }

  static let threads = Step(
    name: "threads", summary: "the suites with threads in them, under the thread sanitizer", budget: 3600
  ) { workspace throws(StepProblem) in
    // Locks show the sanitizer what they order where THREAD_SANITIZER is defined. Under the sanitizer a test takes ten
    // times as long, so the tier is that of the gate.
    try workspace.bash(
      """
      STINT_TIER=gate swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build/threads \
        --filter 'StintBusTests|StintRuntimeTests|StintPluginHostTests'
      """)
  }

  static let skips = Step(
    name: "skips", summary: "where a tool is missing, the step that needs it is skipped and says so",
    needs: [.python], budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.script("skips", ["CHECKS": Workspace.program])
  }
}
