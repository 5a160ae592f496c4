extension DiagnosticPage {
  /// The part of P04 that is about the tests in policies.
  static let tests = [
    DiagnosticPage(
      .testOrder,
      "The steps of a test are not in the order of time.",
      wrong: rests
        + """
        test "rests when still" {
          given motion.activity = still
          at 10 min set motion.activity = walking
          at 5 min  set motion.activity = still
          expect still at 20 min
        }
        """,
      why: """
        A test is read from top to bottom like a story, and what is given stands before anything happens. A \
        step that goes back in time is a slip more often than a trick.
        """,
      right: rests
        + """
        test "rests when still" {
          given motion.activity = still
          at 5 min  set motion.activity = walking
          at 10 min set motion.activity = still
          expect still at 20 min
        }
        """),
    DiagnosticPage(
      .emptyTest,
      "A test says what happens, and expects nothing.",
      wrong: rests
        + """
        test "rests when still" {
          given motion.activity = still
          at 5 min set motion.activity = walking
        }
        """,
      why: "A test without an expectation can only pass, and would be counted as one that did.",
      right: rests
        + """
        test "rests when still" {
          given motion.activity = still
          expect still at 5 min
        }
        """),
    DiagnosticPage(
      .notPublished,
      "A test sets a fact that is computed from other facts.",
      wrong: rests
        + """
        test "rests when still" {
          given location.gnss.on = true
          expect still at 5 min
        }
        """,
      why: """
        Whether a device is on, what a budget has used and the like follow from what happens. Set by hand they \
        would contradict the run that the test is about. Set what they come of.
        """,
      right: rests
        + """
        test "rests when still" {
          given motion.activity = still
          expect still at 5 min
        }
        """),
  ]

  private static let rests = """
    rule still while motion.activity is still for 4 min {
      pause location.gnss
    }


    """
}
