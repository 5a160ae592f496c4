import StintModel
import StintUnits

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

  public var rejectionReason: ServiceFailure? {
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

/// Fetches what is watched in parts as large as may be wasted: the radio is up seldom, and long.
struct MediaFetch: Service {
  private static let radio: DeviceID = "radio.cellular"
  private let request: MediaRequest
  private var fetched: Int64 = 0
  private var watched: Int64 = 0
  private var demand: DemandID?
  /// How much the demand asks for.
  private var asked: Int64 = 0
  private var isStopping = false

  init(_ request: MediaRequest) { self.request = request }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) { fetch(&outbox) }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .carried(demand): note(asked, &outbox)
    case .part(demand, let bytes): note(bytes, &outbox)
    case .ended(demand):
      demand = nil
      if isStopping { close(&outbox) } else { fetch(&outbox) }
    case .command(MediaCommand.watched(let bytes)):
      watched = max(watched, min(bytes, fetched))
      if !isStopping { fetch(&outbox) }
    case .command(MediaCommand.stop):
      isStopping = true
      if let demand { outbox.release(demand) } else { close(&outbox) }
    default: break
    }
  }

  private mutating func note(_ bytes: Int64, _ outbox: inout ServiceOutbox) {
    guard bytes > 0 else { return }
    fetched = fetched.addingSaturated(min(bytes, asked))
    if !isStopping { outbox.notify(MediaNotice.ready(fetched)) }
  }

  /// The next part, when it can be wasted without wasting too much.
  private mutating func fetch(_ outbox: inout ServiceOutbox) {
    let size = min(request.part, request.bytes - fetched)
    guard demand == nil, size > 0, fetched - watched + size <= request.mostWasted else { return }
    asked = size
    demand = outbox.raise(
      Self.radio, DemandSettings(transfer: Transfer(bytesUp: 0, bytesDown: size, deadline: .zero)))
  }

  private mutating func close(_ outbox: inout ServiceOutbox) {
    outbox.notify(MediaNotice.stopped(wasted: fetched - watched))
    outbox.finish()
  }
}
