extension DiagnosticPage {
  /// P06: what is found by thinking policies through.
  static let analyses = [
    DiagnosticPage(
      .noWayBack,
      "Something is switched off, and what would switch it on again needs it switched on.",
      wrong: """
        rule far while location.gnss.distance > 10 km {
          stop location.gnss
        }
        """,
      why: """
        The receiver measures the distance. Stopped, it measures nothing, the distance stays what it was, and \
        the stop never ends. Let something else decide, or say for how long.
        """,
      right: """
        rule far when location.gnss.distance > 10 km {
          stop location.gnss for 5 min
        }
        """),
    DiagnosticPage(
      .tooCostly,
      "The policies cost more than they may: instructions of the worst step, or state slots.",
      wrong: """
        rule still while motion.activity is still for 4 min and not (screen.on in last 2 min) {
          pause location.gnss
        }
        """,
      why: """
        What a step costs is worked out before the policies run, and on a small machine there may be a limit: \
        --max-instructions and --max-slots set it. Each for, in last, release and function that looks back \
        keeps a state slot, here one too many under --max-slots 1. The message shows the rule that costs most.
        """,
      right: """
        rule still while motion.activity is still for 4 min and not screen.on {
          pause location.gnss
        }
        """, mostSlots: 1),
  ]
}
