extension DiagnosticPage {
  /// W: what is allowed and seldom meant.
  static let advice = [
    DiagnosticPage(
      .missingOptionalDevice,
      "A device that the policy uses is not there; what is asked of it is left out.",
      wrong: """
        use motion.gyroscope as gyro

        rule rest while motion.activity is still for 5 min {
          pause gyro
        }
        """,
      why: """
        One policy may serve phones with and without the device. The check reports it, because a misspelt name \
        would look just the same. With “required” it is an error.
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
      why: "Either it is left over and can go, or something was meant to use it and does not.",
      right: """
        let dark = not screen.on

        rule quiet while dark {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .holdLongerThanFact,
      "A for asks for longer than the fact that it reads stays fresh.",
      wrong: """
        default location.gnss {
          max_age 500 ms
        }

        rule fast while location.gnss.speed > 3 m/s for 5 min {
          batch location.gnss until 60 s
        }
        """,
      why: """
        A fact older than its max_age is unknown, and an unknown gap breaks a for. Where the source reports more \
        seldom than that, the condition can never hold for so long. Let facts grow older, tolerate the gaps, or ask for less.
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
      "A limit on a noisy fact, crossed again and again, switches a device with it.",
      wrong: """
        rule poor while location.gnss.accuracy > 50 m {
          stop location.cell
        }
        """,
      why: """
        Readings are noisy: at the limit the device would go on and off with every sample, and each start \
        costs. Add hysteresis (“release”) or a hold time (“for”).
        """,
      right: """
        rule poor while location.gnss.accuracy above 50 m release 40 m {
          stop location.cell
        }
        """),
    DiagnosticPage(
      .dearAccuracy,
      "An accuracy in the class that costs most.",
      wrong: """
        default location.gnss {
          accuracy 10 m
        }
        """,
      why: """
        Ten metres and finer keep the receiver at full power. That is right for a trail or a turn, and wasted on \
        a weather report. Naming the activity says that it is meant.
        """,
      right: """
        default location.gnss {
          accuracy 100 m
        }
        """),
    DiagnosticPage(
      .accuracyLeftOpen,
      "A rule starts a positioning device with settings, and names no accuracy.",
      wrong: """
        rule map while screen.on {
          start location.gnss for "map" with { background on }
        }
        """,
      why: """
        An accuracy that is left open is the default of the device or of another policy. Accuracy is the \
        lever that saves most, so it is worth a word: in the rule, or in a default.
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
        Guidance and recording a way are the cases for a position that is followed without rest. All else is done \
        with a fix now and then, or with less accuracy. Naming the activity says that it is meant.
        """,
      right: """
        rule map while screen.on {
          start location.gnss for "map" with { accuracy 20 m  activity automotive }
        }
        """),
    DiagnosticPage(
      .activityUnfit,
      "A rule that holds on foot starts a device for guidance in a vehicle.",
      wrong: """
        rule walk while motion.activity is walking {
          start location.gnss for "coach" with { accuracy 20 m  activity navigation }
        }
        """,
      why: """
        The activity decides when updates pause. Boats, trains and planes are slow to count as resting; with \
        such an activity a walker keeps the receiver on through every rest.
        """,
      right: """
        rule walk while motion.activity is walking {
          start location.gnss for "coach" with { accuracy 20 m  activity fitness }
        }
        """),
    DiagnosticPage(
      .timeoutBeforeStart,
      "A request for one fix ends before a receiver that was off for long can have one.",
      wrong: """
        rule where when screen.on {
          fix location.gnss to 20 m timeout 30 s
        }
        """,
      why: """
        After hours of rest a receiver must find the satellites again, and until then it has no position. A \
        request that gives up earlier pays for the search and gets no position.
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
        The flag is for work in the background, and belongs to that work: on when it begins, off when it \
        ends. Forgotten, it keeps the receiver on day and night, whatever app is in front.
        """,
      right: """
        rule track while motion.activity is running {
          start location.gnss for "track" with { accuracy 10 m  activity fitness  background on }
        }
        """),
  ]
}
