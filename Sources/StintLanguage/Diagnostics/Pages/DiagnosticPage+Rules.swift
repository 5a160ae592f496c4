extension DiagnosticPage {
  /// P04: what rules may say.
  static let rules = [
    DiagnosticPage(
      .missingEnding,
      "A directive of an edge rule does not say when it ends.",
      wrong: """
        rule giveup when location.gnss.accuracy > 50 m {
          stop location.gnss
        }
        """,
      why: """
        “when” and “every” act once, at an instant; nothing would ever take the directive back. Every stop has \
        a way back: say for how long, or use “while”, whose directives end with their condition.
        """,
      right: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 h
        }
        """),
    DiagnosticPage(
      .wrongRelease,
      "A release stands on the wrong side of its threshold.",
      wrong: """
        rule saver while battery.level below 20 % release 15 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A release keeps a rule from flickering: begun below 20 %, it lasts until the level has risen to 25 %. \
        Released at 15 % it would end as soon as it began.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .circularOver,
      "Rules put each other aside in a circle.",
      wrong: """
        rule pack over live while app.state is background {
          batch location.gnss until 5 min
        }

        rule live over pack while screen.on {
          batch location.gnss until 10 s
        }
        """,
      why: """
        Where both hold, each would put the other aside and neither would be left. Without “over” the saver \
        wins, so only the rule that loosens another needs it.
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
      why: "A rule without directives is a plan that was not finished.",
      right: """
        rule dark while not screen.on {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .endingInLevelRule,
      "A directive of a level rule says for how long, and its rule says so already.",
      wrong: """
        rule dark while not screen.on {
          pause location.gnss for 5 min
        }
        """,
      why: """
        “always” and “while” hold exactly as long as their condition. An end of its own would leave the rule in \
        force and its directive not. To act once for a fixed time, begin the rule with “when”.
        """,
      right: """
        rule dark when not screen.on {
          pause location.gnss for 5 min
        }
        """),
    DiagnosticPage(
      .actInLevelRule,
      "Something that is done once stands in a rule that holds.",
      wrong: """
        rule home while net.kind is wifi {
          flush location.gnss
        }
        """,
      why: """
        fix, flush, emit, tell and launch happen at an instant, and “while” describes a stretch of time: at the \
        start, at the end, or all along? “when” says that it is the start.
        """,
      right: """
        rule home when net.kind is wifi {
          flush location.gnss
        }
        """),
    DiagnosticPage(
      .doublingDownwards,
      "The ceiling of a doubling lies below its first duration.",
      wrong: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 min
        }
        """,
      why: "Doubling makes a duration longer each time, up to the ceiling. It cannot begin above it.",
      right: """
        rule giveup when location.gnss.accuracy > 50 m for 2 min {
          stop location.gnss for 5 min doubling to 1 h
        }
        """),
    DiagnosticPage(
      .budgetLoosens,
      "A block of a budget asks for more instead of less.",
      wrong: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { start location.gnss }
        }
        """,
      why: """
        A budget is a promise about what is spent, and its blocks are the brakes: from a part of it on, they \
        tighten. To turn a device on, write a rule, which the budget may then limit.
        """,
      right: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { downgrade location.gnss to 50 m }
        }
        """),
    DiagnosticPage(
      .overBudget,
      "A rule puts the block of a budget aside.",
      wrong: """
        budget trail = 1500 J per day on location.gnss {
          at 80 % { downgrade location.gnss to 50 m }
        }

        rule race over trail-80 while motion.activity is running {
          batch location.gnss until 10 s
        }
        """,
      why: """
        What is spent is spent: a budget that rules could put aside would promise nothing. If the exception is \
        meant, the budget is too small; raise it.
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
