extension DiagnosticPage {
  /// W: advice about valid policies that are probably not intended.
  static let advice = [
    DiagnosticPage(
      .missingOptionalDevice,
      "The phone does not have a device that the policy uses; directives for that device are ignored.",
      wrong: """
        use motion.gyroscope as gyro

        rule rest while motion.activity is still for 5 min {
          pause gyro
        }
        """,
      why: """
        One policy may serve phones with and without the device. The check reports the missing device, \
        because a misspelt name looks the same. All facts of a missing device are unknown, also facts whose \
        names do not begin with the name of the device, such as motion.activity. With “required”, a missing \
        device is an error.
        """,
      right: """
        use motion.accelerometer as accel

        rule rest while motion.activity is still for 5 min {
          downgrade accel to 10 Hz
        }
        """),
    DiagnosticPage(
      .unused,
      "A name is declared, and nothing uses it.",
      wrong: """
        let dark = not screen.on

        rule quiet while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        Either the declaration is a leftover and can be deleted, or an intended use of the name is missing.
        """,
      right: """
        let dark = not screen.on

        rule quiet while dark {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .holdLongerThanFact,
      "The duration of a for is longer than the time for which its fact stays valid.",
      wrong: """
        default location.gnss {
          max_age 500 ms
        }

        rule fast while location.gnss.speed > 3 m/s for 5 min {
          batch location.gnss until 60 s
        }
        """,
      why: """
        A fact older than its max_age is unknown, and an unknown gap restarts the duration of a for. When \
        the source reports less often than max_age, the condition never holds for the whole duration. \
        Increase max_age, tolerate the gaps, or use a shorter duration.
        """,
      right: """
        default location.gnss {
          max_age 10 s
        }

        rule fast while location.gnss.speed > 3 m/s for 5 min {
          batch location.gnss until 60 s
        }
        """),
    DiagnosticPage(
      .flapping,
      "A noisy fact crosses a limit repeatedly, and each crossing switches a device.",
      wrong: """
        rule poor while location.gnss.accuracy > 50 m {
          stop location.cell
        }
        """,
      why: """
        Readings are noisy: at the limit the device would turn on and off with every sample, and each start \
        costs energy. Add hysteresis (“release”) or a hold time (“for”).
        """,
      right: """
        rule poor while location.gnss.accuracy above 50 m release 40 m {
          stop location.cell
        }
        """),
    DiagnosticPage(
      .dearAccuracy,
      "An accuracy in the class that costs the most energy.",
      wrong: """
        default location.gnss {
          accuracy 10 m
        }
        """,
      why: """
        An accuracy of 10 m or finer keeps the receiver at full power. A recorded trail or turn-by-turn \
        guidance needs that, a weather report does not. To confirm the accuracy, name an activity.
        """,
      right: """
        default location.gnss {
          accuracy 100 m
        }
        """),
    DiagnosticPage(
      .accuracyLeftOpen,
      "A rule starts a positioning device with settings, but without an accuracy.",
      wrong: """
        rule map while screen.on {
          start location.gnss for "map" with { background on }
        }
        """,
      why: """
        Without an accuracy, the default of the device or of another policy applies. Of all settings, the \
        accuracy saves the most energy. Specify it in the rule or in a default.
        """,
      right: """
        rule map while screen.on {
          start location.gnss for "map" with { accuracy 100 m  background on }
        }
        """),
    DiagnosticPage(
      .receiverStaysOn,
      "A rule may keep a receiver on for longer than ten minutes without guidance.",
      wrong: """
        rule map while screen.on {
          start location.gnss for "map" with { accuracy 20 m }
        }
        """,
      why: """
        Guidance and the recording of a track need continuous positions. For everything else, single fixes \
        or a lower accuracy are enough. To confirm continuous positions, name an activity.
        """,
      right: """
        rule map while screen.on {
          start location.gnss for "map" with { accuracy 20 m  activity automotive }
        }
        """),
    DiagnosticPage(
      .activityUnfit,
      "A rule for walking starts a device with an activity for vehicles.",
      wrong: """
        rule walk while motion.activity is walking {
          start location.gnss for "coach" with { accuracy 20 m  activity navigation }
        }
        """,
      why: """
        The activity decides when updates pause. Boats, trains and planes count as resting only after a \
        long time. With such an activity, the receiver stays on whenever a walker rests.
        """,
      right: """
        rule walk while motion.activity is walking {
          start location.gnss for "coach" with { accuracy 20 m  activity fitness }
        }
        """),
    DiagnosticPage(
      .timeoutBeforeStart,
      "The timeout of a fix is shorter than the time to first fix after a long pause.",
      wrong: """
        rule where when screen.on {
          fix location.gnss to 20 m timeout 30 s
        }
        """,
      why: """
        After hours without use a receiver must find the satellites again, and until then it has no \
        position. A request that ends earlier costs the energy of the search and returns no position.
        """,
      right: """
        rule where when screen.on {
          fix location.gnss to 20 m timeout 1 min
        }
        """),
    DiagnosticPage(
      .backgroundForGood,
      "A rule without an end starts a device with its background flag on.",
      wrong: """
        rule track always {
          start location.gnss for "track" with { accuracy 10 m  activity fitness  background on }
        }
        """,
      why: """
        Turn the flag on when a task in the background begins, and off when the task ends. A flag that \
        stays on keeps the receiver on day and night, even while other apps are in use.
        """,
      right: """
        rule track while motion.activity is running {
          start location.gnss for "track" with { accuracy 10 m  activity fitness  background on }
        }
        """),
    DiagnosticPage(
      .validityOnly,
      "A condition reads respite of a device that no rule turns on or limits.",
      wrong: """
        rule stale when respite(location.gnss, 50 m) < 0 s {
          emit "stale"
        }
        """,
      why: """
        respite describes the last delivered position, as age does. It does not turn on the device, because \
        a new position would change the value. Until a client uses the device, the value is unknown, and the \
        condition is not true.
        """,
      right: """
        rule stale when respite(location.gnss, 50 m) < 0 s {
          fix location.gnss to 50 m timeout 1 min
        }
        """),
  ]
}
