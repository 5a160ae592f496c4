import StintModel
import StintUnits

/// A request to fetch long media that is watched during the fetch.
///
/// Parts are large, but never exceed the amount that may be wasted when the viewer stops.
public struct MediaRequest: ServiceRequest, Hashable {
  /// The address of the media.
  public var source: String
  /// The total size in bytes.
  public var bytes: Int64
  /// The size of one part in bytes.
  public var part: Int64
  /// The largest number of bytes that may be fetched and never watched.
  public var mostWasted: Int64

  /// Makes a request. By default, a part is as large as `mostWasted` allows.
  public init(_ source: String, bytes: Int64, mostWasted: Int64, part: Int64? = nil) {
    self.source = source
    self.bytes = bytes
    self.mostWasted = mostWasted
    self.part = min(part ?? bytes, mostWasted)
  }

  public var rejectionReason: ServiceFailure? {
    guard bytes > 0, part > 0, bytes <= InputBounds.bytes else {
      return ServiceFailure(
        .invalid,
        "the sizes of the media and its parts must be above 0 B and at most \(InputBounds.bytes) B")
    }
    return nil
  }

  public func makeService() -> any Service { MediaFetch(self) }
}

/// A command of a viewer to a media fetch.
public enum MediaCommand: ServiceCommand, Hashable {
  /// The number of bytes watched until now.
  case watched(Int64)
  /// The viewer has stopped.
  case stop
}

/// A notice of a media fetch to its client.
public enum MediaNotice: ServiceNotice, Hashable {
  /// The number of bytes fetched from the beginning.
  case ready(Int64)
  /// The fetch has ended; `wasted` bytes were fetched and not watched.
  case stopped(wasted: Int64)
}

/// Fetches media in large parts within the waste limit, so that the radio has few, long active intervals.
struct MediaFetch: Service {
  private let request: MediaRequest
  private var fetched: Int64 = 0
  private var watched: Int64 = 0
  private var demand: DemandID?
  /// The number of bytes of the current demand.
  private var asked: Int64 = 0
  private var isStopping = false

  init(_ request: MediaRequest) { self.request = request }

  func need(_ roles: DeviceRoles) -> PermissionNeed { .network }
  var commandType: (any ServiceCommand.Type)? { MediaCommand.self }
  var role: DeviceRole? { .transfers }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) { fetch(context, &outbox) }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .carried(demand): note(asked, &outbox)
    case .part(demand, let bytes): note(bytes, &outbox)
    case .ended(demand):
      demand = nil
      if isStopping { close(&outbox) } else { fetch(context, &outbox) }
    case .command(MediaCommand.watched(let bytes)):
      watched = max(watched, min(bytes, fetched))
      if !isStopping { fetch(context, &outbox) }
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

  /// Fetches the next part if the number of unwatched bytes then stays within the waste limit.
  private mutating func fetch(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let size = min(request.part, request.bytes - fetched)
    guard demand == nil, size > 0, fetched - watched + size <= request.mostWasted,
      let radio = context.roles.radio(metered: true)
    else { return }
    asked = size
    demand = outbox.raise(
      radio, DemandSettings(transfer: Transfer(bytesUp: 0, bytesDown: size, deadline: .zero)))
  }

  private mutating func close(_ outbox: inout ServiceOutbox) {
    outbox.notify(MediaNotice.stopped(wasted: fetched - watched))
    outbox.finish()
  }
}
