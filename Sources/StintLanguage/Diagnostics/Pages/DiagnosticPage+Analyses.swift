extension DiagnosticPage {
  /// P06: results of the static analyses.
  static let analyses = [
    DiagnosticPage(
      .noWayBack,
      "A device is switched off, and the condition that switches it on again depends on that device.",
      wrong: """
        rule far while location.gnss.distance > 10 km {
          stop location.gnss
        }
        """,
      why: """
        The receiver measures the distance. While it is stopped, the distance does not change, so the stop \
        never ends. Use a condition that does not depend on the device, or limit the duration of the stop. \
        A state of a machine has the same error when all its gotos read facts of devices that it keeps off; \
        the message shows the path to that state.
        """,
      right: """
        rule far when location.gnss.distance > 10 km {
          stop location.gnss for 5 min
        }
        """),
    DiagnosticPage(
      .tooCostly,
      "The policies exceed a cost limit: the instructions of the worst step, or the number of state slots.",
      wrong: """
        rule still while motion.activity is still for 4 min and not (screen.on in last 2 min) {
          pause location.gnss
        }
        """,
      why: """
        The cost of a step is computed before the policies run; --max-instructions and --max-slots limit \
        it. Each for, in last, release and window function needs a state slot; this example needs one more \
        than --max-slots 1 allows. The message shows the rule with the highest cost.
        """,
      right: """
        rule still while motion.activity is still for 4 min and not screen.on {
          pause location.gnss
        }
        """, mostSlots: 1),
    DiagnosticPage(
      .brokenRequirement,
      "A require is violated: with certain facts and demands, the policies themselves break it.",
      wrong: """
        require location.gnss.on implies screen.on

        rule saver while battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A require is proved before the policies run, or monitored while they run. This require fails: the \
        message names facts and demands with which the state of a device contradicts it, and the simulator \
        reproduces them. Write a rule that satisfies the require, allow for the time that a device needs \
        to react, or weaken the require. Violations that depend only on facts and clients are not errors; \
        they are monitored.
        """,
      right: """
        require location.gnss.on implies demanded(location.gnss)

        rule saver while battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
  ]
}
