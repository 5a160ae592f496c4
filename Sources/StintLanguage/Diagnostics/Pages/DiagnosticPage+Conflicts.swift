extension DiagnosticPage {
  /// W03: rules that never hold, fight, or are needless.
  static let conflicts = [
    DiagnosticPage(
      .unreachable,
      "A rule never holds: nothing that the facts can be makes its condition true.",
      wrong: """
        rule saver while battery.level < 20 % and battery.level > 30 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        The ranges and words of the facts are known from the manifests, so this is worked out and not guessed. \
        Most often “and” stands where “or” was meant, or a limit has the wrong unit.
        """,
      right: """
        rule saver while battery.level > 20 % and battery.level < 30 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .alwaysTrue,
      "A condition is true whatever the facts are.",
      wrong: """
        rule coarse while location.gnss.on or not location.gnss.on {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Write “always” for a rule that always holds, so that no reader looks for a case in which it does \
        not. Most often “or” stands where “and” was meant.
        """,
      right: """
        rule coarse while location.gnss.on and not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .overruled,
      "A start that another rule beats whenever it holds.",
      wrong: """
        rule go while battery.level > 50 % {
          start location.gnss
        }

        rule rest while battery.level > 20 % {
          stop location.gnss
        }
        """,
      why: """
        The saver wins: a start never breaks a stop, so this one never has its way. The message shows facts for \
        which both hold. If it is to win there, it names the other: rule go over rest.
        """,
      right: """
        rule go while battery.level > 50 % {
          start location.gnss
        }

        rule rest while battery.level < 20 % {
          stop location.gnss
        }
        """),
    DiagnosticPage(
      .overruledAtTimes,
      "A start that another rule beats for some values of the facts.",
      wrong: """
        rule go while screen.on {
          start location.gnss
        }

        rule rest while battery.level < 20 % {
          stop location.gnss
        }
        """,
      why: """
        That is often just what is meant, so it is only told, with facts for which it happens. If the start is \
        to win there, it names the other rule: rule go over rest.
        """,
      right: """
        rule go over rest while screen.on {
          start location.gnss
        }

        rule rest while battery.level < 20 % {
          stop location.gnss
        }
        """),
    DiagnosticPage(
      .shadowed,
      "A rule changes nothing, because another saves at least as much whenever it holds.",
      wrong: """
        rule weak while battery.level < 10 % {
          downgrade location.gnss to 100 m
        }

        rule low while battery.level < 20 % {
          downgrade location.gnss to 1 km
        }
        """,
      why: """
        Of several limits the cheapest counts, so the finer one is never seen. Most often two values were \
        swapped.
        """,
      right: """
        rule weak while battery.level < 10 % {
          downgrade location.gnss to 1 km
        }

        rule low while battery.level < 20 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .unreachableState,
      "A state of a machine to which no goto leads, and in which the machine does not start.",
      wrong: """
        machine ride starts parked {
          state parked { goto riding when motion.activity is cycling }
          state riding { goto parked when motion.activity is still }
          state lost { pause location.gnss }
        }
        """,
      why: "Nothing in this state ever holds: the machine cannot come to be in it.",
      right: """
        machine ride starts parked {
          state parked { goto riding when motion.activity is cycling }
          state riding {
            goto parked when motion.activity is still
            goto lost when not known(motion.activity) for 10 min
          }
          state lost {
            pause location.gnss
            goto riding when motion.activity is cycling
          }
        }
        """),
    DiagnosticPage(
      .restless,
      "A machine whose states lead to each other with the same facts: it would move again and again.",
      wrong: """
        machine ride starts parked {
          state parked { goto riding when location.gnss.speed > 2 m/s }
          state riding { goto parked when motion.activity is still for 3 min }
        }
        """,
      why: """
        A phone can be still and fast at the same time, on a ferry for example. With both, either state \
        leads to the other at once. The machine moves then after a millisecond, after two, after four, and \
        in the end once a minute, until something changes.
        """,
      right: """
        machine ride starts parked {
          state parked { goto riding when location.gnss.speed > 2 m/s and not motion.activity is still }
          state riding { goto parked when motion.activity is still for 3 min }
        }
        """),
    DiagnosticPage(
      .noEffect,
      "A directive or an over that changes nothing.",
      wrong: """
        rule dark while not screen.on {
          downgrade location.gnss to 5 m
        }
        """,
      why: """
        Five metres are the best that this receiver can do, so nothing is limited by it. In the same way a hold \
        of one item holds nothing back, and an “over” between rules that share no device puts nothing aside.
        """,
      right: """
        rule dark while not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
  ]
}
