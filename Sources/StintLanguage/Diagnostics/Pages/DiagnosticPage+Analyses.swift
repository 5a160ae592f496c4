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
        the stop never ends. Let something else decide, or say for how long. A state of a machine that keeps off \
        what each goto out of it reads is refused as well, with the way that leads there.
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
    DiagnosticPage(
      .brokenRequirement,
      "A require does not come true: with these facts and demands the policies themselves break it.",
      wrong: """
        require location.gnss.on implies screen.on

        rule saver while battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A require is proved before the policies run, or watched while they do. This one fails: the message \
        names facts and demands with which a device is on, or off, against the promise, and the simulator \
        brings it about. Write the rule that keeps it, for as long as a device may take to obey, or require \
        less. What only facts and clients decide is no mistake, and is watched.
        """,
      right: """
        require location.gnss.on implies demanded(location.gnss)

        rule saver while battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
  ]
}
