import StintModel
import StintUnits

/// What every reader of tracks checks: coordinates that exist, times that do not go backwards.
struct TrackAssembly {
  private var last: TimeSpan?

  /// The place on earth, or what is wrong with the numbers: which one, and a sentence.
  static func position(latitude: Double, longitude: Double) -> Result<Coordinate, PositionFault> {
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) { return .success(coordinate) }
    if !latitude.isFinite || abs(latitude) > 90 {
      return .failure(PositionFault(isLatitude: true, sentence: "latitude \(latitude) does not exist"))
    }
    return .failure(PositionFault(isLatitude: false, sentence: "longitude \(longitude) does not exist"))
  }

  /// Notes the time of the next point; gives back what is wrong with it, or nil.
  mutating func objection(to time: TimeSpan) -> String? {
    if let last, time < last { return "the time goes backwards by \(last - time)" }
    last = time
    return nil
  }
}

/// Which of two numbers is no place on earth, and why.
struct PositionFault: Error {
  let isLatitude: Bool
  let sentence: String

  /// What to do about it.
  var step: String {
    isLatitude ? "latitudes lie between -90 and 90" : "longitudes lie between -180 and 180"
  }
}
