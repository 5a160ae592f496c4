import StintFormats

extension TrackWorld {
  /// What is wrong with a track without a point.
  static func empty(_ name: String) -> FormatError {
    FormatError(
      .empty, source: name, cause: "there is no point in it", step: "give a track with at least one point")
  }
}
