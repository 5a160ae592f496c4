extension DiagnosticPage {
  /// The part of P04 about the tests in policies.
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
        The steps of a test are in order of time, and given steps come first. A step that goes back in time \
        is usually a mistake.
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
      "A test has no expectation.",
      wrong: rests
        + """
        test "rests when still" {
          given motion.activity = still
          at 5 min set motion.activity = walking
        }
        """,
      why: "A test without an expectation can never fail, and would count as passed.",
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
        The state of a device, the use of a budget and similar facts are computed from events. Values set \
        by hand would contradict the tested run. Set the facts from which they are computed.
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
