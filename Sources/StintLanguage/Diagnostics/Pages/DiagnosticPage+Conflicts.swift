extension DiagnosticPage {
  /// W03: rules that are never active, conflict with each other or are redundant.
  static let conflicts = [
    DiagnosticPage(
      .unreachable,
      "A rule is never active: no possible values of the facts make its condition true.",
      wrong: """
        rule saver while battery.level < 20 % and battery.level > 30 % {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        The manifests contain the ranges and words of the facts, so this result is a proof. Usually “and” \
        is written instead of “or”, or a limit has the wrong unit.
        """,
      right: """
        rule saver while battery.level > 20 % and battery.level < 30 % {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .alwaysTrue,
      "A condition is true for all values of the facts.",
      wrong: """
        rule coarse while location.gnss.on or not location.gnss.on {
          downgrade location.gnss to 100 m
        }
        """,
      why: """
        Write “always” for a rule that is always active, so that readers do not look for an exception. \
        Usually “or” is written instead of “and”.
        """,
      right: """
        rule coarse while location.gnss.on and not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
    DiagnosticPage(
      .overruled,
      "A start never has an effect: whenever its rule is active, another rule overrides it.",
      wrong: """
        rule go while battery.level > 50 % {
          start location.gnss
        }

        rule rest while battery.level > 20 % {
          stop location.gnss
        }
        """,
      why: """
        The rule that saves more energy wins: a start never overrides a stop. The message shows facts for \
        which both rules are active. To let the start win, name the other rule: rule go over rest.
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
      "A start has no effect for some values of the facts, because another rule overrides it.",
      wrong: """
        rule go while screen.on {
          start location.gnss
        }

        rule rest while battery.level < 20 % {
          stop location.gnss
        }
        """,
      why: """
        This is often intended, so the finding is only a note. It shows facts for which the start is \
        overridden. To let the start win, name the other rule: rule go over rest.
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
      "A rule has no effect, because another rule saves at least as much whenever this rule is active.",
      wrong: """
        rule weak while battery.level < 10 % {
          downgrade location.gnss to 100 m
        }

        rule low while battery.level < 20 % {
          downgrade location.gnss to 1 km
        }
        """,
      why: """
        If several limits apply, the most economical one is used, so the finer limit has no effect. Usually \
        two values were swapped.
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
      "No goto leads to this state of a machine, and it is not the initial state.",
      wrong: """
        machine ride starts parked {
          state parked { goto riding when motion.activity is cycling }
          state riding { goto parked when motion.activity is still }
          state lost { pause location.gnss }
        }
        """,
      why: "The machine never enters this state, so its directives and rules are never active.",
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
      "Two states of a machine lead to each other with unchanged facts: the machine oscillates.",
      wrong: """
        machine ride starts parked {
          state parked { goto riding when location.gnss.speed > 2 m/s }
          state riding { goto parked when motion.activity is still }
        }
        """,
      why: """
        A phone can be still and fast at the same time, on a ferry for example. With these facts, each \
        state leads to the other at once. The machine then changes state after 1 ms, 2 ms, 4 ms and so on, \
        and finally once a minute, until a fact changes.
        """,
      right: """
        machine ride starts parked {
          state parked { goto riding when location.gnss.speed > 2 m/s and not motion.activity is still }
          state riding { goto parked when motion.activity is still }
        }
        """),
    DiagnosticPage(
      .noEffect,
      "A directive or an over without effect.",
      wrong: """
        rule dark while not screen.on {
          downgrade location.gnss to 5 m
        }
        """,
      why: """
        Five metres are the best accuracy of this receiver, so this limit has no effect. Likewise a batch \
        of one item delays nothing, and an “over” between rules without a common device overrides nothing.
        """,
      right: """
        rule dark while not screen.on {
          downgrade location.gnss to 100 m
        }
        """),
  ]
}
