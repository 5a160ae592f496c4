import StintFormats

extension TrackWorld {
  /// What is wrong with a track without a point.
  static let empty = FormatError(
    .empty, source: "track", cause: "there is no point in it", step: "give a track with at least one point")
}
