import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Hands what services say to those who read it.
final class ServiceCalls: HostObserver {
  private struct State {
    var boxes: [ServiceID: NoticeBox] = [:]
    /// Requests that were refused, until whoever asked has looked.
    var refusals: [ServiceID: ServiceFailure] = [:]
  }

  private let state = Locked(State())
  private let onLaunch: (@Sendable (_ client: String, _ reason: String) -> Void)?
  private let onOrder: (@Sendable (_ client: String, _ service: String, _ order: any ServiceOrder) -> Void)?
  private let onSentence: (@Sendable (_ client: String, _ sentence: String) -> Void)?

  init(
    onLaunch: (@Sendable (String, String) -> Void)?, onSentence: (@Sendable (String, String) -> Void)?,
    onOrder: (@Sendable (String, String, any ServiceOrder) -> Void)?
  ) {
    self.onOrder = onOrder
    self.onLaunch = onLaunch
    self.onSentence = onSentence
  }

  /// The box of a service; made when there is none yet.
  func box(_ id: ServiceID) -> NoticeBox {
    state.withLock { state in
      let box = state.boxes[id] ?? NoticeBox()
      state.boxes[id] = box
      return box
    }
  }

  /// The service is over: its reader gets what waits, and then the end.
  func close(_ id: ServiceID) { state.withLock { $0.boxes.removeValue(forKey: id) }?.finish() }

  /// Why the last request of this name was refused; nil when it was not.
  func takeRefusal(_ id: ServiceID) -> ServiceFailure? {
    state.withLock { $0.refusals.removeValue(forKey: id) }
  }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    switch effect {
    case .notice(let id, let notice): box(id).put(notice)
    case .refused(let id, let failure): state.withLock { $0.refusals[id] = failure }
    case .order(let id, let order): onOrder?(id.client.name, id.name, order)
    case .launch(let client, let reason): onLaunch?(client.name, reason.name)
    case .tellUser(let client, let sentence): onSentence?(client.name, sentence)
    case .raise, .release, .wake, .publish, .say, .hear: break
    }
  }
}
