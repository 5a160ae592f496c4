extension DiagnosticPage {
  /// P05: capabilities of devices.
  static let capabilities = [
    DiagnosticPage(
      .verbNotSupported,
      "The device does not support this directive.",
      wrong: """
        rule later while battery.level < 20 % {
          defer location.gnss until power.source is external deadline 1 h
        }
        """,
      why: """
        A device's manifest lists its verbs, and an unsupported directive would have no effect. The \
        traffic of a radio can be deferred. A receiver can be paused, but its samples cannot be deferred.
        """,
      right: """
        rule later while battery.level < 20 % {
          defer radio.cellular until power.source is external deadline 1 h
        }
        """),
    DiagnosticPage(
      .boundNotSupported,
      "The bound of a directive is a quantity that the device cannot measure.",
      wrong: """
        rule pack while app.state is background {
          batch motion.accelerometer until 500 m
        }
        """,
      why: """
        An accelerometer does not measure distance, and a receiver does not count bytes. Times and numbers \
        of items are always possible. A distance needs a manifest with the fact “distance”, and bytes need \
        a radio.
        """,
      right: """
        rule pack while app.state is background {
          batch motion.accelerometer until 60 s
        }
        """),
    DiagnosticPage(
      .beyondDevice,
      "A value lies outside the range of the device.",
      wrong: """
        default location.gnss {
          accuracy 1 m
        }
        """,
      why: """
        The manifest contains the range of each setting, and the hint shows it. A value outside the range \
        would have the same effect as the limit of the range.
        """,
      right: """
        default location.gnss {
          accuracy 20 m
        }
        """),
  ]
}
