extension DiagnosticPage {
  /// The part of P04 about per-demand rules.
  static let clients = [
    DiagnosticPage(
      .clientUnknown,
      "A condition reads a client fact outside a per-demand rule.",
      wrong: "require client.accuracy >= 5 m",
      why: """
        A rule that reads client.* is evaluated once for each demand on its targets, with the settings of \
        that demand. A requirement, a test and a machine apply to the whole phone, which may have ten \
        clients or no client.
        """,
      right: """
        rule modest while client.accuracy < 20 m {
          downgrade location.gnss to 20 m
        }
        """),
    DiagnosticPage(
      .clientRuleDoesMore,
      "A per-demand rule starts a device or performs a one-time action.",
      wrong: """
        rule coarse while client.accuracy > 100 m {
          batch location.gnss until 10 min
          start location.cell
        }
        """,
      why: """
        A per-demand rule limits the one demand for which it is evaluated. A start or an action affects all \
        clients, and would be repeated for each demand.
        """,
      right: """
        rule coarse while client.accuracy > 100 m {
          batch location.gnss until 10 min
        }
        """),
  ]
}
