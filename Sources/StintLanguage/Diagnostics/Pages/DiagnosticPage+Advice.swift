extension DiagnosticPage {
  /// W: what is allowed and seldom meant.
  static let advice = [
    DiagnosticPage(
      .missingOptionalDevice,
      "A device that the policy uses is not there; rules that need it rest.",
      wrong: """
        use motion.gyroscope as gyro

        rule rest while motion.activity is still for 5 min {
          pause gyro
        }
        """,
      why: """
        One policy may serve phones with and without the device. It is told, because a misspelt name would look \
        just the same. With “required” it is an error.
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
        Measured values tremble. At the limit the device would go on and off with every sample, and each start \
        costs. A release, or a for, makes up its mind.
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
  ]
}
