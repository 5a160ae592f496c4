/// The steps that check the code itself: formatting, tests and builds.
enum CodeSteps {
  private static let shipping = Build.shipping.joined(separator: " ")

  static let lint = Step(
    name: "lint", summary: "all files have the layout of swift format", budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      swift format lint --strict -r Sources Plugins Tests Package.swift .ci/Package.swift .ci/Sources
      echo "layout is clean: $(find Sources Plugins Tests .ci/Sources -name '*.swift' | wc -l) files"
      """)
  }

  /// The maximum number of discouraged phrases that the step `words` accepts. This number may only decrease.
  private static let oddSentences = 130

  static let words = Step(
    name: "words", summary: "no old identifier is used, and the number of discouraged phrases does not grow",
    needs: [.python],
    budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      python3 Tests/TidyTests/Words/check.py --identifiers --counts
      python3 Tests/TidyTests/Words/check.py --sentences --counts --limit \(oddSentences)
      """)
  }

  /// Runs the second command of the README. `.ci/run` uses the default tier, and `.ci/long` uses the tier
  /// `long`.
  static let tests = Step(
    name: "tests", summary: "the tests of each module pass, run as the README says", budget: 900,
    canRunInParallel: true, log: ".build/tests.log"
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      mkdir -p .build
      [ "$STINT_TIER" = long ] || unset STINT_TIER
      swift test --no-parallel 2>&1 | tee .build/tests.log
      """)
  }

  static let acceptance = Step(
    name: "acceptance", summary: "the tests of the numbered behaviours pass on the release build",
    builds: [.release], budget: 300, log: ".build/acceptance.log"
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      export STINT_TESTS=acceptance
      swift build --build-tests \(shipping) --explicit-target-dependency-import-check error
      swift test --skip-build \(shipping) --no-parallel 2>&1 | tee .build/acceptance.log
      """)
  }

  static let behaviours = Step(
    name: "behaviours", summary: "every numbered behaviour has a test, and all its tests pass", budget: 10
  ) { workspace throws(StepProblem) in
    guard Workspace.isFile(".build/tests.log"), Workspace.isFile(".build/acceptance.log") else {
      throw .skipped(
        "a log of the steps “tests” and “acceptance” is missing, so the behaviours were not checked")
    }
    try workspace.bash(".ci/behaviours .build/tests.log .build/acceptance.log")
  }

  static let release = Step(
    name: "release", summary: "every product builds for release without a warning", builds: [.release],
    budget: 10, canRunInParallel: true
  ) { workspace throws(StepProblem) in
    try workspace.bash("ls -l \"$(readlink -f \"$STINT\")\" \"$(readlink -f \"$LAB\")\"")
  }

  static let threads = Step(
    name: "threads", summary: "the tests that use threads pass under the thread sanitizer", budget: 3600
  ) { workspace throws(StepProblem) in
    // With THREAD_SANITIZER defined, locks report their happens-before relations to the sanitizer. The tests
    // take ten times as long, so this step never uses the tier long.
    try workspace.bash(
      """
      STINT_TIER=gate swift test --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --scratch-path .build/threads \
        --filter 'StintBusTests|StintRuntimeTests|StintPluginHostTests'
      """)
  }

  static let skips = Step(
    name: "skips", summary: "a step whose tool is missing is skipped with a message",
    needs: [.python], budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.script("skips", ["CHECKS": Workspace.program])
  }
}
