extension DiagnosticPage {
  /// P02: names and their declarations.
  static let names = [
    DiagnosticPage(
      .unknownFact,
      "No device publishes a fact of this name.",
      wrong: """
        rule saver while batery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A fact that no device and no app publishes stays unknown, so the rule would never act. The \
        manifests list all facts; the message suggests the nearest name.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unknownDevice,
      "No device has this name, and no use declares it.",
      wrong: """
        use location.gns as gps required

        rule dark while not screen.on {
          pause gps
        }
        """,
      why: """
        A directive for a missing device has no effect, although its author expects one. When a policy \
        should also run without the device, omit “required”: its rules for the device are then inactive, \
        and “why” reports it.
        """,
      right: """
        use location.gnss as gps required

        rule dark while not screen.on {
          pause gps
        }
        """),
    DiagnosticPage(
      .unknownName,
      "The file does not declare this schedule, parameter or other name.",
      wrong: """
        schedule night = 22:00..06:00

        rule quiet while time in nigth {
          pause location.gnss
        }
        """,
      why: """
        Names are declared in the same file, before or after their use; the message suggests the nearest \
        name.
        """,
      right: """
        schedule night = 22:00..06:00

        rule quiet while time in night {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .duplicateName,
      "A name is declared twice.",
      wrong: """
        let dark = not screen.on
        let dark = battery.level < 20 %

        rule quiet while dark {
          pause location.gnss
        }
        """,
      why: """
        With two declarations, readers could not know which one applies. Reports identify rules by name \
        too, so each rule needs its own name.
        """,
      right: """
        let dark = not screen.on
        let weak = battery.level < 20 %

        rule quiet while dark and weak {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .unknownSetting,
      "The device does not have this setting.",
      wrong: """
        default location.gnss {
          acuracy 50 m
        }
        """,
      why: "A device's manifest lists its settings; any other setting would have no effect.",
      right: """
        default location.gnss {
          accuracy 50 m
        }
        """),
    DiagnosticPage(
      .unknownFunction,
      "No function has this name.",
      wrong: """
        let lost = not knwon(location.gnss.accuracy)

        rule coarse while lost {
          downgrade location.gnss to 100 m
        }
        """,
      why: "The set of functions is fixed, so that the cost of a rule is known before it runs.",
      right: """
        let lost = not known(location.gnss.accuracy)

        rule coarse while lost {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unknownRule,
      "An over names a rule that does not exist.",
      wrong: """
        rule pack while app.state is background {
          batch location.gnss until 500 m or 5 min
        }

        rule live over pakc while app.state is background and screen.on {
          batch location.gnss until 10 s
        }
        """,
      why: """
        Only “over” can loosen another rule, and it always names that rule. A name with a slash refers to a \
        rule of another policy, which must be loaded together with this one.
        """,
      right: """
        rule pack while app.state is background {
          batch location.gnss until 500 m or 5 min
        }

        rule live over pack while app.state is background and screen.on {
          batch location.gnss until 10 s
        }
        """),
    DiagnosticPage(
      .unknownWord,
      "A fact is compared with a word that is not one of its values.",
      wrong: """
        rule onfoot while motion.activity is walkin {
          downgrade location.gnss to 30 m
        }
        """,
      why: "The manifest lists the words of a fact. A comparison with any other word is never true.",
      right: """
        rule onfoot while motion.activity is walking {
          downgrade location.gnss to 30 m
        }
        """),
    DiagnosticPage(
      .circularLet,
      "A let depends on itself, perhaps through other lets.",
      wrong: """
        let dark = idle
        let idle = not dark

        rule quiet while dark {
          pause location.gnss
        }
        """,
      why: "Each use of a let is replaced by its expression; this replacement would never end.",
      right: """
        let dark = not screen.on
        let idle = dark and motion.activity is still

        rule quiet while idle {
          pause location.gnss
        }
        """),
  ]
}
