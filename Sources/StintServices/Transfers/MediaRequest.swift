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
  /// So many bytes of the whole have been watched.
  case watched(Int64)
  /// Nobody watches any more.
  case stop
}

/// What a fetch tells its client.
public enum MediaNotice: ServiceNotice, Hashable {
  /// So many bytes from the beginning are there.
  case ready(Int64)
  /// It is over; so many bytes were fetched for nothing.
  case stopped(wasted: Int64)
}
