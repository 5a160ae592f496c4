extension DiagnosticPage {
  /// P02: names and what they stand for.
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
        A fact that no device and no app publishes stays unknown, so the rule would never act. The manifests \
        say which facts there are; the message shows the nearest.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unknownDevice,
      "No device has this name, and none was given it with use.",
      wrong: """
        use location.gns as gps required

        rule dark while not screen.on {
          pause gps
        }
        """,
      why: """
        A directive to a device that is not there changes nothing, while its author believes that it does. Where \
        a policy should also run without the device, leave “required” out: its rules then rest, and “why” says so.
        """,
      right: """
        use location.gnss as gps required

        rule dark while not screen.on {
          pause gps
        }
        """),
    DiagnosticPage(
      .unknownName,
      "A schedule, a parameter or another name that the file does not declare.",
      wrong: """
        schedule night = 22:00..06:00

        rule quiet while time in nigth {
          pause location.gnss
        }
        """,
      why: "Names are declared in the same file, before or behind their use; the message shows the nearest.",
      right: """
        schedule night = 22:00..06:00

        rule quiet while time in night {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .duplicateName,
      "One name stands for two things.",
      wrong: """
        let dark = not screen.on
        let dark = battery.level < 20 %

        rule quiet while dark {
          pause location.gnss
        }
        """,
      why: """
        Whichever of the two were taken, half of the readers would expect the other. Reports call rules by \
        name too, so two of them cannot share one.
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
      why:
        "A device's manifest lists what can be set on it; anything else would be written and have no effect.",
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
      why: "The functions are fixed, so that what a rule costs can be worked out before it runs.",
      right: """
        let lost = not known(location.gnss.accuracy)

        rule coarse while lost {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unknownRule,
      "A rule puts another aside with over, and there is no such rule.",
      wrong: """
        rule pack while app.state is background {
          batch location.gnss until 500 m or 5 min
        }

        rule live over pakc while app.state is background and screen.on {
          batch location.gnss until 10 s
        }
        """,
      why: """
        “over” is the only way to loosen another rule, and it is always by name. A name with a slash reaches \
        into another policy, which must be loaded together with this one.
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
      "A fact is compared with a word that it never takes.",
      wrong: """
        rule onfoot while motion.activity is walkin {
          downgrade location.gnss to 30 m
        }
        """,
      why: "The manifest lists the words of a fact. A comparison with any other is never true.",
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
      why: "A let stands for its expression wherever its name is; this one would go on for ever.",
      right: """
        let dark = not screen.on
        let idle = dark and motion.activity is still

        rule quiet while idle {
          pause location.gnss
        }
        """),
  ]
}
