extension DiagnosticPage {
  /// The part of P04 that is about rules that each demand is asked alone.
  static let clients = [
    DiagnosticPage(
      .clientUnknown,
      "A condition asks for the client where no client is asked.",
      wrong: "require client.accuracy >= 5 m",
      why: """
        A rule that reads client.* is asked once for each demand on its targets, with what that client asks for. A \
        requirement, a test and a machine are about the phone as a whole: there may be ten clients, or none.
        """,
      right: """
        rule modest while client.accuracy < 20 m {
          downgrade location.gnss to 20 m
        }
        """),
    DiagnosticPage(
      .clientRuleDoesMore,
      "A rule about one demand starts something, or acts.",
      wrong: """
        rule coarse while client.accuracy > 100 m {
          batch location.gnss until 10 min
          start location.cell
        }
        """,
      why: """
        Such a rule shapes the one demand that it is asked about. What is started or told is for everybody, and would \
        be there once for each demand.
        """,
      right: """
        rule coarse while client.accuracy > 100 m {
          batch location.gnss until 10 min
        }
        """),
  ]
}
