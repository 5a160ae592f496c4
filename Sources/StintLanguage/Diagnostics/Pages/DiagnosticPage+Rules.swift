extension DiagnosticPage {
  /// P04: the contents of rules.
  static let rules = [
    DiagnosticPage(
      .missingEnding,
      "A directive of an edge rule has no end.",
      wrong: """
        rule giveup when location.gnss.accuracy > 50 m {
          stop location.gnss
        }
        """,
      why: """
        “when” and “every” act once, at an instant; nothing would end the directive. Specify a duration \
        with “for”, or use “while”, whose directives end with their condition.
        """,
      right: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 h
        }
        """),
    DiagnosticPage(
      .wrongRelease,
      "A release is on the wrong side of its threshold.",
      wrong: """
        rule saver while battery.level below 20 % release 15 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A release keeps a rule from switching at each change: a rule that begins below 20 % continues \
        until the level is above 25 %. With a release at 15 %, the rule would end as soon as it began.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .circularOver,
      "Rules override each other in a cycle.",
      wrong: """
        rule pack over live while app.state is background {
          batch location.gnss until 5 min
        }

        rule live over pack while screen.on {
          batch location.gnss until 10 s
        }
        """,
      why: """
        When both are active, each would override the other, and neither would remain. Without “over” the \
        rule that saves more wins, so only the rule that loosens another rule needs “over”.
        """,
      right: """
        rule pack while app.state is background {
          batch location.gnss until 5 min
        }

        rule live over pack while screen.on {
          batch location.gnss until 10 s
        }
        """),
    DiagnosticPage(
      .emptyRule,
      "A rule has no directive and does nothing.",
      wrong: """
        rule dark while not screen.on {
        }
        """,
      why: "A rule without directives is usually unfinished.",
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .endingInLevelRule,
      "A directive of a level rule has a duration, although the condition of the rule already ends it.",
      wrong: """
        rule dark while not screen.on {
          pause location.gnss for 5 min
        }
        """,
      why: """
        A rule with “always” or “while” is active exactly while its condition is true. With a duration, \
        the directive could end while the rule is still active. To act once for a fixed time, begin the \
        rule with “when”.
        """,
      right: """
        rule dark when not screen.on {
          pause location.gnss for 5 min
        }
        """),
    DiagnosticPage(
      .actInLevelRule,
      "A one-time action is in a level rule.",
      wrong: """
        rule home while net.kind is wifi {
          flush location.gnss
        }
        """,
      why: """
        fix, flush, emit, tell and launch happen at an instant, but “while” describes a period, and the \
        instant within this period would be undefined. “when” acts at the beginning of the period.
        """,
      right: """
        rule home when net.kind is wifi {
          flush location.gnss
        }
        """),
    DiagnosticPage(
      .doublingDownwards,
      "The ceiling of a doubling is below its first duration.",
      wrong: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 min
        }
        """,
      why: "Doubling lengthens a duration each time, up to the ceiling. The first duration cannot exceed it.",
      right: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 h
        }
        """),
    DiagnosticPage(
      .budgetLoosens,
      "A step of a budget requests more instead of less.",
      wrong: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { start location.gnss }
        }
        """,
      why: """
        The steps of a budget only tighten limits. Each step applies from a share of the budget on. To \
        turn a device on, write a rule, which the budget may then limit.
        """,
      right: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { downgrade location.gnss to 50 m }
        }
        """),
    DiagnosticPage(
      .overBudget,
      "A rule overrides a step of a budget.",
      wrong: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { downgrade location.gnss to 50 m }
        }

        rule race over trail-80 while motion.activity is running {
          batch location.gnss until 10 s
        }
        """,
      why: """
        A budget guarantees a limit of the energy used, so no rule can override its steps. If the exception \
        is intended, the budget is too small; raise it.
        """,
      right: """
        budget trail = 2500 J per day on location.gnss {
          at 80 % { downgrade location.gnss to 50 m }
        }

        rule race while motion.activity is running {
          batch location.gnss until 10 s
        }
        """),
  ]
}
