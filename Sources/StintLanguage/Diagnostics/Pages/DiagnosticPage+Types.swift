extension DiagnosticPage {
  /// P03: types, units and values.
  static let types = [
    DiagnosticPage(
      .typeMismatch,
      "Two values of different types stand where they would have to be alike.",
      wrong: """
        rule saver while screen.on == 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A fact is a truth, a word or a quantity. Truths stand alone or behind “not”, words are asked with “is” \
        and “in”, and only quantities have an order. Each operand is shown with its type.
        """,
      right: """
        rule saver while not screen.on and battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .wrongUnit,
      "A quantity has another unit than the one that is expected.",
      wrong: """
        rule still while motion.activity is still for 5 m {
          pause location.gnss
        }
        """,
      why: """
        Lengths, times, rates, energies and so on never mix, and nothing is converted in silence: five metres \
        are not five minutes. The hint offers the unit that was probably meant. “m” is always metres, “min” \
        always minutes.
        """,
      right: """
        rule still while motion.activity is still for 5 min {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .missingUnit,
      "A number has no unit where a quantity is expected.",
      wrong: """
        rule saver while battery.level below 20 release 25 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A bare number is ambiguous: 20 may be percent, volts or minutes. Only counts and factors have no unit.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .notACondition,
      "A condition is expected, and this is neither true nor false.",
      wrong: """
        rule saver while battery.level {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A rule holds while something is true. There is no number that counts as true: say which level is \
        meant.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .notConstant,
      "This value must be known when the policy is loaded.",
      wrong: """
        param window = 5 min in 1 min .. 1 h

        rule weak while avg(battery.level, window) < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        The memory of a window is set aside when the policy is loaded, so its length must stand in the text: \
        a literal, not something that may change.
        """,
      right: """
        rule weak while avg(battery.level, 5 min) < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .outOfRange,
      "A value lies outside what is possible or what was declared.",
      wrong: """
        param hold = 50 m in 100 m .. 2 km

        rule pack while app.state is background {
          batch location.gnss until hold
        }
        """,
      why: """
        `stint tune` and operators move a parameter inside its range, so the first value must lie in it. In \
        the same way a span of time is more than nothing and a rate more than zero.
        """,
      right: """
        param hold = 500 m in 100 m .. 2 km

        rule pack while app.state is background {
          batch location.gnss until hold
        }
        """),
    DiagnosticPage(
      .divisionByZero,
      "A division by something that is always zero.",
      wrong: """
        rule weak while battery.level / (2 - 2) < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: "The result would be unknown for ever, and the rule would never act.",
      right: """
        rule weak while battery.level / 2 < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .badArguments,
      "A function is called with too few, too many or the wrong arguments.",
      wrong: """
        rule lost while trend(location.gnss.accuracy) > 5 m {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Functions that look back (trend, spread, avg, min, max, count, rate) take a fact and how far to look \
        back; known, available and demanded take one name. The message shows an example of each.
        """,
      right: """
        rule lost while trend(location.gnss.accuracy, 90 s) > 5 m {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .mixedUnits,
      "One quantity is written in units that measure different things.",
      wrong: """
        rule still while motion.activity is still for 1 h 5 m {
          pause location.gnss
        }
        """,
      why: "Parts of one quantity add up: 1 h 5 min. An hour and five metres do not.",
      right: """
        rule still while motion.activity is still for 1 h 5 min {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .tooLarge,
      "With its lets put in, a condition is too large.",
      wrong: "let a0 = screen.on\n"
        + (1...12).map { "let a\($0) = a\($0 - 1) and a\($0 - 1)\n" }.joined()
        + "\nrule quiet while a12 { pause location.gnss }",
      why: """
        A let stands in full wherever its name does, so lets that use others twice double each time: twelve of \
        them already make thousands of parts. A condition has at most 5000.
        """,
      right: "let a0 = screen.on\n\nrule quiet while a0 { pause location.gnss }"),
    DiagnosticPage(
      .doesNotFit,
      "Policies that are loaded together take more room than an image has.",
      wrong: "let poor = ‹400 × avg(location.gnss.accuracy, 1 h) > 20 m or ›screen.on\n"
        + (1...3).map { "\nrule quiet\($0) while poor { pause location.gnss }" }.joined(),
      why: """
        What policies take of memory and of a step is known before they run. Each window keeps its values, and a let \
        stands in full wherever its name does; all windows together keep at most 4194304 values, and all rules \
        together make at most 1048576 instructions.
        """,
      right: """
        let poor = avg(location.gnss.accuracy, 1 h) > 20 m

        rule quiet while poor { pause location.gnss }
        """),
  ]
}
