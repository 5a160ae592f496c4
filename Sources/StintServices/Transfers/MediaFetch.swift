import StintModel
import StintUnits

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

  mutating func take(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
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
    if !isStopping { outbox.tell(MediaNotice.ready(fetched)) }
  }

  /// The next part, when it can be wasted without wasting too much.
  private mutating func fetch(_ outbox: inout ServiceOutbox) {
    let size = min(request.part, request.bytes - fetched)
    guard demand == nil, size > 0, fetched - watched + size <= request.mostWasted else { return }
    asked = size
    demand = outbox.raise(
      Self.radio, Wants(transfer: Transfer(bytesUp: 0, bytesDown: size, deadline: .zero)))
  }

  private mutating func close(_ outbox: inout ServiceOutbox) {
    outbox.tell(MediaNotice.stopped(wasted: fetched - watched))
    outbox.finish()
  }
}
