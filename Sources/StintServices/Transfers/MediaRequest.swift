/// What a client asks for to fetch something long that is watched as it comes: large parts, but never more ahead of the
/// viewer than may be wasted when they stop.
public struct MediaRequest: ServiceRequest, Hashable {
  public var source: String
  public var bytes: Int64
  /// How much is fetched at once.
  public var part: Int64
  /// The most that may be fetched and never watched.
  public var mostWasted: Int64

  /// Makes a request; by default the whole at once, up to what may be wasted.
  public init(_ source: String, bytes: Int64, mostWasted: Int64, part: Int64? = nil) {
    self.source = source
    self.bytes = bytes
    self.mostWasted = mostWasted
    self.part = min(part ?? bytes, mostWasted)
  }

  public var objection: ServiceFailure? {
    guard bytes > 0, part > 0, bytes <= TransferRequest.mostBytes else {
      return ServiceFailure(.invalid, "something is to be fetched, in parts of something")
    }
    return nil
  }

  public func makeService() -> any Service { MediaFetch(self) }
}

/// What a viewer tells a fetch.
public enum MediaCommand: ServiceCommand, Hashable {
  /// The number of bytes of the whole that have been watched.
  case watched(Int64)
  /// The viewer has stopped.
  case stop
}

/// What a fetch tells its client.
public enum MediaNotice: ServiceNotice, Hashable {
  /// The number of bytes from the beginning that are there.
  case ready(Int64)
  /// It is over; `wasted` bytes were fetched and not watched.
  case stopped(wasted: Int64)
}
