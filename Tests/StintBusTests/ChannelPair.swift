import StintModel
import StintUnits

@testable import StintBus

/// A `ChannelStateMachine` and its model `NaiveChannel`, which get the same events. The pair is a value type,
/// so that a search can copy it for each branch.
struct ChannelPair {
  static let failure = Problem(
    .absent, place: "location.gnss", cause: "the receiver was unplugged", remedy: "plug it in")

  private(set) var machine: ChannelStateMachine<Letter>
  private(set) var naive: NaiveChannel
  private(set) var promises: ChannelPromises
  private var nextNumber = 0

  init(policy: OverflowPolicy) {
    machine = ChannelStateMachine(policy: policy)
    naive = NaiveChannel(policy: policy)
    promises = ChannelPromises(capacity: policy.capacity)
  }

  var isOver: Bool { naive.end != nil && !naive.untold }

  /// Returns true when a correct caller can cause the event in the current state. At most one consumer
  /// may wait.
  func allows(_ event: ChannelEvent) -> Bool {
    switch event {
    case .next, .drainAll: naive.consumer == nil
    // With a queued element, or after the end, `poll` has the effect of `next`. So only the remaining case is
    // tested.
    case .poll: naive.consumer == nil && naive.waiting.isEmpty && naive.end == nil
    default: true
    }
  }

  /// Applies the event to the state machine and to the model, and returns the observations of each.
  mutating func apply(_ event: ChannelEvent) -> (machine: [Observation], naive: [Observation]) {
    let shown = happen(event)
    promises.observe(event, number: nextNumber, shown.machine)
    return shown
  }

  /// True when all guarantees of a channel have held until now.
  var keepsPromises: Bool { promises.hold(for: machine.counts, isOver: machine.end != nil) }

  private mutating func happen(_ event: ChannelEvent) -> (machine: [Observation], naive: [Observation]) {
    nextNumber += 1
    let number = nextNumber
    let letter = Letter(number: number)
    switch event {
    case .offer: return (show(machine.offer(letter), letter), naive.offer(letter))
    case .next: return (next(number), naive.next(number))
    case .poll: return (show(machine.poll(), number), naive.poll(number))
    case .drainAll: return (drainAll(), naive.drainAll())
    case .finish: return (show(machine.finish(with: nil)), naive.finish(.finished))
    case .fail:
      return (show(machine.finish(with: Self.failure)), naive.finish(.failed(Self.failure)))
    case .abandon: return (show(machine.cancelConsumer()), naive.cancelConsumer())
    }
  }

  /// True when the state machine and the model have equal counts, and no accepted sample is missing. Every
  /// accepted sample is delivered, lost, discarded or still queued.
  var countsAgree: Bool {
    let counts = machine.counts
    let waiting = naive.waiting.map(\.tally).reduce(.none, +)
    return counts.accepted.batches == naive.accepted && counts.delivered.batches == naive.delivered
      && counts.overflowed.batches == naive.overflowed && counts.discarded.batches == naive.discarded
      && counts.accepted == counts.delivered + counts.overflowed + counts.discarded + waiting
  }

  private mutating func next(_ consumer: Int) -> [Observation] {
    show(machine.next(for: waiter(consumer)), consumer)
  }

  private func show(_ taken: ChannelStateMachine<Letter>.Taken, _ consumer: Int) -> [Observation] {
    var shown: [Observation] = []
    if let delivery = taken.delivery { shown.append(.told(consumer, show(delivery))) }
    if let end = taken.end { shown.append(.ended(end)) }
    return shown
  }

  private mutating func drainAll() -> [Observation] {
    var letters: [Letter] = []
    let end = machine.drainAll(into: &letters)
    return [.taken(letters)] + (end.map { [.ended($0)] } ?? [])
  }

  private func waiter(_ number: Int) -> WaiterID { WaiterID(number: UInt64(number)) }

  private func show(_ offered: ChannelStateMachine<Letter>.Offered, _ letter: Letter) -> [Observation] {
    var shown: [Observation] = [.offered(offered.result)]
    if let consumer = offered.consumer { shown.append(.told(Int(consumer.number), .letter(letter))) }
    if offered.becameReady { shown.append(.ready) }
    return shown
  }

  private func show(_ closed: ChannelStateMachine<Letter>.Closed) -> [Observation] {
    var shown: [Observation] = []
    if let told = closed.consumer { shown.append(.told(Int(told.waiter.number), show(told.delivery))) }
    if let end = closed.end { shown.append(.ended(end)) }
    return shown
  }

  private func show(_ delivery: ChannelStateMachine<Letter>.Delivery) -> Observation.Told {
    switch delivery {
    case .element(let letter): .letter(letter)
    case .failure(let failure): .failure(failure)
    case .end: .end
    }
  }
}
