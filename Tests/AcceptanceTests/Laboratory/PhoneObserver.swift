import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Records the events of a phone that tests check, each with its second since the start.
final class PhoneObserver: HostObserver {
  var carriesTransfers: Bool { true }

  struct Notice: Sendable {
    var second: Double
    var id: ServiceID
    var notice: any ServiceNotice
  }

  struct Entry: Hashable, Sendable {
    var second: Double
    var text: String
  }

  struct Diary: Sendable {
    var notices: [Notice] = []
    /// The orders of services, such as transfers, each with its second.
    var orders: [(second: Double, id: ServiceID, order: any ServiceOrder)] = []
    /// Refused requests and inputs.
    var refusals: [Entry] = []
    /// Launches, such as `launch app visit`, and the messages to the user.
    var launches: [Entry] = []
    /// Every state that a device entered: `location.gnss search`.
    var states: [Entry] = []
    /// The actions of rules: emitted events and messages.
    var acts: [Entry] = []
    var decisions: [String] = []
    /// Notes about the run itself, such as a full disk.
    var notes: [Entry] = []
    /// The number of samples that reached demands, by client.
    var samples: [ClientID: Int] = [:]
  }

  private let diary = Locked(Diary())
  private let start: Instant

  init(start: Instant) { self.start = start }

  var everything: Diary { diary.withLock { $0 } }

  private func second(_ instant: Instant) -> Double { (instant - start).seconds }

  func served(_ effect: ServiceEffect, at instant: Instant) {
    let second = second(instant)
    diary.withLock { diary in
      switch effect {
      case .notice(let id, let notice): diary.notices.append(Notice(second: second, id: id, notice: notice))
      case .refused(let id, let failure), .refusedCommand(let id, let failure):
        diary.refusals.append(Entry(second: second, text: "\(id) \(failure.code.name)"))
      case .order(let id, let order): diary.orders.append((second, id, order))
      case .launch(let client, let reason):
        diary.launches.append(Entry(second: second, text: "launch \(client) \(reason)"))
      case .notifyUser(let client, let sentence):
        diary.launches.append(Entry(second: second, text: "\(client): \(sentence)"))
      case .raise, .release, .withdraw, .wake, .publish, .publishSignal, .presence, .permissions,
        .setHasConsumer, .accepted, .over:
        break
      }
    }
  }

  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {
    guard case .state(let state, _) = outcome else { return }
    let entry = Entry(second: second(instant), text: "\(manifest.device) \(manifest.states[state].name)")
    diary.withLock { $0.states.append(entry) }
  }

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    diary.withLock { $0.samples[demand.client, default: 0] += batch.samples.count }
  }

  func acted(_ act: Act, by rule: RuleID, at instant: Instant) {
    let entry = Entry(second: second(instant), text: "\(rule) \(act)")
    diary.withLock { $0.acts.append(entry) }
  }

  func refused(_ sentence: String, at instant: Instant) {
    let entry = Entry(second: second(instant), text: sentence)
    diary.withLock { $0.refusals.append(entry) }
  }

  func logged(_ message: RunMessage, at instant: Instant) {
    let entry = Entry(second: second(instant), text: message.text)
    diary.withLock { $0.notes.append(entry) }
  }

  func decided(_ event: RunEvent, _ line: String, at instant: Instant) {
    diary.withLock { $0.decisions.append(line) }
  }
}
