extension DiagnosticPage {
  /// P01: how a policy is put together.
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
        Reports, journals and other policies call a policy by its name, so a file without one could not be \
        spoken of. Comments may stand before it.
        """,
      right: """
        policy "example" version 1

        rule dark while not screen.on {
          pause location.gnss
        }
        """, header: ""),
    DiagnosticPage(
      .unexpected,
      "Something else has to stand here.",
      wrong: """
        rule dark while not screen.on {
          downgrade location.gnss 100 m
        }
        """,
      why: """
        The message names what the grammar allows at this place. Reading goes on behind the mistake, so one run \
        shows all of them.
        """,
      right: """
        rule dark while not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .tooDeep,
      "An expression nests too deep, or joins too many parts.",
      wrong: """
        rule quiet while ‹201 × (›screen.on‹201 × )› {
          pause location.gnss
        }
        """,
      why: """
        What a rule costs is known before it runs, and so is the memory that reading it takes: an expression \
        nests at most 200 levels and joins at most 500 parts, and with its lets put in it holds at most 64 values at \
        once. Give its parts names with let, and write the longer part of an “and” or an “or” first.
        """,
      right: """
        rule quiet while (screen.on) {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .tooLong,
      "A file of more than 4 MiB, or more than 4000 rules that are loaded together.",
      wrong: """
        # ‹4200000 × .›
        rule dark while not screen.on {
          pause location.gnss
        }
        """,
      why: """
        Rules are compared with each other, so what is checked in a moment at a thousand of them takes for ever at \
        a million. Most often such a file is no policy at all, or a program wrote it that could have used lists.
        """,
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .unclosedBlock,
      "A block is opened with { and never closed.",
      wrong: """
        rule dark while not screen.on {
          pause location.gnss
        """,
      why: "Without the closing brace it is not clear where the rule ends and the next one begins.",
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .missingDeadline,
      "A defer does not say how long work may wait at most.",
      wrong: """
        rule later while battery.level < 50 % {
          defer radio.cellular until net.kind is wifi
        }
        """,
      why: """
        The condition may never come true: no Wi-Fi all week, and the mail never leaves. At the deadline the \
        work is let go whatever the condition says, and the journal tells that nothing better came.
        """,
      right: """
        rule later while battery.level < 50 % {
          defer radio.cellular until net.kind is wifi deadline 18 h
        }
        """),
  ]
}
