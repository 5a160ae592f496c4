/// The steps that look at the code itself: its layout, its tests, its build.
enum CodeSteps {
  static let lint = Step(
    name: "lint", summary: "the layout of all files is that of swift format", budget: 60
  ) { workspace throws(StepProblem) in
    try workspace.bash(
      """
      swift format lint --strict -r Sources Plugins Tests Package.swift .ci/Package.swift .ci/Sources
      echo "layout is clean: $(find Sources Plugins Tests .ci/Sources -name '*.swift' | wc -l) files"
      """)
  }

  static let tests = Step(
    name: "tests", summary: "all tests, in the tier of this run; every numbered behaviour has one",
    budget: 600
  ) { workspace throws(StepProblem) in
    // As many tests at a time as there are cores: otherwise all start at once and starve the pool of threads.
    try workspace.bash(
      """
      mkdir -p .build
      SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$(nproc)" swift test 2>&1 | tee .build/tests.log
      .ci/behaviours .build/tests.log
      """)
  }

  static let release = Step(
    name: "release", summary: "every product builds for release without a warning", builds: [.release],
    budget: 10
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
