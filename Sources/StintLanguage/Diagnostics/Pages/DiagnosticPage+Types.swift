extension DiagnosticPage {
  /// P03: types, units and values.
  static let types = [
    DiagnosticPage(
      .typeMismatch,
      "Two values have different types where the same type is required.",
      wrong: """
        rule saver while screen.on == 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A fact is a Boolean value, a word or a quantity. A Boolean value is a condition by itself, also \
        after “not”. Words are compared with “is” and “in”, and only quantities have an order. The \
        message shows each operand with its type.
        """,
      right: """
        rule saver while not screen.on and battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .wrongUnit,
      "A quantity has a unit of the wrong dimension.",
      wrong: """
        rule still while motion.activity is still for 5 m {
          pause location.gnss
        }
        """,
      why: """
        Lengths, times, rates, energies and other dimensions never mix, and nothing is converted \
        implicitly: five metres are not five minutes. The hint suggests the unit that was probably \
        intended. “m” is always metres, “min” always minutes.
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
        A bare number is ambiguous: 20 may be percent, volts or minutes. Only counts and factors have no \
        unit.
        """,
      right: """
        rule saver while battery.level below 20 % release 25 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .notACondition,
      "A condition is expected, but this expression is neither true nor false.",
      wrong: """
        rule saver while battery.level {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        A rule is active while its condition is true. A number is not a condition: compare it with a limit.
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
        let window = battery.level * 5 min

        rule weak while avg(battery.level, window) < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        The memory of a window is allocated when the policy is loaded, so its length must be a literal, \
        a parameter or a constant, not a value that may change.
        """,
      right: """
        param window = 5 min in 1 min .. 1 h

        rule weak while avg(battery.level, window) < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .outOfRange,
      "A value lies outside the possible or the declared range.",
      wrong: """
        param hold = 50 m in 100 m .. 2 km

        rule pack while app.state is background {
          batch location.gnss until hold
        }
        """,
      why: """
        `stint tune` and operators change a parameter within its range, so the initial value must lie in \
        it. Likewise a time and a rate must be above zero.
        """,
      right: """
        param hold = 500 m in 100 m .. 2 km

        rule pack while app.state is background {
          batch location.gnss until hold
        }
        """),
    DiagnosticPage(
      .divisionByZero,
      "A division by a value that is always zero.",
      wrong: """
        rule weak while battery.level / (2 - 2) < 20 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: "The result would always be unknown, and the rule would never act.",
      right: """
        rule weak while battery.level / 2 < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .badArguments,
      "A function call has too few, too many or the wrong arguments.",
      wrong: """
        rule lost while trend(location.gnss.accuracy) > 5 m {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Window functions (trend, spread, avg, min, max, count, rate) have two arguments, a fact and the \
        length of the window. The functions known, available and demanded have one argument, a name. The \
        hint shows an example.
        """,
      right: """
        rule lost while trend(location.gnss.accuracy, 90 s) > 5 m {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .mixedUnits,
      "A quantity mixes units of different dimensions.",
      wrong: """
        rule still while motion.activity is still for 1 h 5 m {
          pause location.gnss
        }
        """,
      why: "The parts of a quantity are added: 1 h 5 min. An hour and five metres cannot be added.",
      right: """
        rule still while motion.activity is still for 1 h 5 min {
          pause location.gnss
        }
        """),
    DiagnosticPage(
      .tooLarge,
      "A condition is too large after its lets are expanded.",
      wrong: "let a0 = screen.on\n"
        + (1...12).map { "let a\($0) = a\($0 - 1) and a\($0 - 1)\n" }.joined()
        + "\nrule quiet while a12 { pause location.gnss }",
      why: """
        Each use of a let is replaced by its expression, so lets that use another let twice double its \
        size: twelve of them already make thousands of parts. A condition has at most 5000.
        """,
      right: "let a0 = screen.on\n\nrule quiet while a0 { pause location.gnss }"),
    DiagnosticPage(
      .doesNotFit,
      "Policies that are loaded together exceed the limits of an image.",
      wrong: "let poor = ‹400 × avg(location.gnss.accuracy, 1 h) > 20 m or ›screen.on\n"
        + (1...3).map { "\nrule quiet\($0) while poor { pause location.gnss }" }.joined(),
      why: """
        The memory and the number of instructions of policies are limited. The limits are checked before \
        the policies run. Each window stores its values, and each use of a let is replaced by its \
        expression; all windows together store at most 4194304 values, and all rules together have at most \
        1048576 instructions.
        """,
      right: """
        let poor = avg(location.gnss.accuracy, 1 h) > 20 m

        rule quiet while poor { pause location.gnss }
        """),
  ]
}
