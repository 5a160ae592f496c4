import StintUnits

/// How strong a beacon is heard at a distance.
enum RadioSignal {
  /// In dBm, a metre away.
  static let atOneMetre = -59.0

  /// In dBm, through free air: 6 dB less with each doubling of the distance.
  static func strength(metres: Double) -> Double {
    atOneMetre - 20 * 0.301_029_995_663_981_2 * binaryLogarithm(max(metres, 0.1))
  }

  /// The logarithm to base 2 of a positive number, to 0.01: the same on any machine.
  static func binaryLogarithm(_ number: Double) -> Double {
    let share = number.significand - 1
    // The line between two powers, with a bow.
    return Double(number.exponent) + share + 0.344_4 * share * (1 - share)
  }
}
