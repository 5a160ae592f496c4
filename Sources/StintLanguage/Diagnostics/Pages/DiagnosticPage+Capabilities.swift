extension DiagnosticPage {
  /// P05: what devices can do.
  static let capabilities = [
    DiagnosticPage(
      .verbNotSupported,
      "The device cannot do what the directive says.",
      wrong: """
        rule later while battery.level < 20 % {
          defer location.gnss until power.source is external deadline 1 h
        }
        """,
      why: """
        A device's manifest lists its verbs, and a directive that it cannot honour would change nothing. \
        A receiver can be paused but its samples cannot be put off; a radio's traffic can.
        """,
      right: """
        rule later while battery.level < 20 % {
          defer radio.cellular until power.source is external deadline 1 h
        }
        """),
    DiagnosticPage(
      .boundNotSupported,
      "A hold ends at something that the device cannot measure.",
      wrong: """
        rule pack while app.state is background {
          batch motion.accelerometer until 500 m
        }
        """,
      why: """
        An accelerometer does not know how far it was carried, and a receiver does not count bytes. Time and \
        the number of items work everywhere, distances where the manifest has the fact “distance”, bytes on \
        radios.
        """,
      right: """
        rule pack while app.state is background {
          batch motion.accelerometer until 60 s
        }
        """),
    DiagnosticPage(
      .beyondDevice,
      "A value lies outside what the device can do.",
      wrong: """
        default location.gnss {
          accuracy 1 m
        }
        """,
      why: """
        The manifest gives the range of each setting, and the hint shows it. Asking for more would cost and gain \
        nothing.
        """,
      right: """
        default location.gnss {
          accuracy 20 m
        }
        """),
  ]
}
