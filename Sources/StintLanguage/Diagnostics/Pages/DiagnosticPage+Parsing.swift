extension DiagnosticPage {
  /// P01: the syntax of a policy.
  static let parsing = [
    DiagnosticPage(
      .missingPolicy,
      "The file does not begin with the policy's name.",
      wrong: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        Reports, journals and other policies identify a policy by its name, so each file must have one. \
        Only comments may precede it.
        """,
      right: """
        policy "example" version 1

        rule dark while not screen.on {
          pause location.gnss
        }
        """, header: ""),
    DiagnosticPage(
      .unexpected,
      "The grammar requires other syntax here.",
      wrong: """
        rule dark while not screen.on {
          downgrade location.gnss 100 m
        }
        """,
      why: """
        The message names the syntax that the grammar allows here. The parser continues after the error, so \
        one run shows all errors.
        """,
      right: """
        rule dark while not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .tooDeep,
      "An expression is nested too deeply, or joins too many parts.",
      wrong: """
        rule quiet while ‹201 × (›screen.on‹201 × )› {
          pause location.gnss
        }
        """,
      why: """
        The cost of a rule and the memory for parsing are limited: an expression has at most 200 levels \
        and joins at most 500 parts. After its lets are expanded, its evaluation keeps at most 64 values \
        at once. Give its parts names with let, and write the longer part of an “and” or an “or” first.
        """,
      right: """
        rule quiet while (screen.on) {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .tooLong,
      "A file is larger than 4 MiB, or more than 4000 rules are loaded together.",
      wrong: """
        # ‹4200000 × .›
        rule dark while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        Rules are compared with each other, so a check of a thousand rules takes a moment and a check of a \
        million would not finish. Usually such a file is not a policy, or a program generated rules where \
        one rule with lists of devices would do.
        """,
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .unclosedBlock,
      "A block begins with { and is never closed.",
      wrong: """
        rule dark while not screen.on {
          pause location.gnss
        """,
      why: "Without the closing brace, the end of the rule is unknown.",
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .missingDeadline,
      "A defer has no deadline.",
      wrong: """
        rule later while battery.level < 50 % {
          defer radio.cellular until net.kind is wifi
        }
        """,
      why: """
        The condition may never become true: without Wi-Fi for a week, the mail would never be sent. At the \
        deadline the work is released regardless of the condition, and the journal records that the \
        deadline was reached.
        """,
      right: """
        rule later while battery.level < 50 % {
          defer radio.cellular until net.kind is wifi deadline 18 h
        }
        """),
  ]
}
