@testable import StintBus

/// A simple model of a channel: all queued elements are in one array, and a read removes the first element.
struct NaiveChannel {
  var policy: OverflowPolicy
  var waiting: [Letter] = []
  /// The number of the waiting consumer; nil when no consumer waits.
  var consumer: Int?
  /// The requested end, which takes effect when no element is queued; nil before `finish`.
  var finishing: ChannelEnd?
  var end: ChannelEnd?
  /// True after `finish` has ended the channel, until a consumer receives the end.
  var untold = false
  var accepted = 0
  var delivered = 0
  var overflowed = 0
  var discarded = 0

  init(policy: OverflowPolicy) { self.policy = policy }

  mutating func offer(_ letter: Letter) -> [Observation] {
    if end != nil || finishing != nil { return [.offered(.closed)] }
    if let waiter = consumer {
      consumer = nil
      accepted += 1
      delivered += 1
      return [.offered(.accepted), .told(waiter, .letter(letter))]
    }
    if waiting.count < policy.capacity {
      accepted += 1
      waiting.append(letter)
      return waiting.count == 1 ? [.offered(.accepted), .ready] : [.offered(.accepted)]
    }
    accepted += 1
    overflowed += 1
    waiting.removeFirst()
    waiting.append(letter)
    return [.offered(.displaced)]
  }

  mutating func next(_ waiter: Int) -> [Observation] {
    if let end {
      defer { untold = false }
      if case .failed(let failure) = end, untold { return [.told(waiter, .failure(failure))] }
      return [.told(waiter, .end)]
    }
    guard !waiting.isEmpty else {
      consumer = waiter
      return []
    }
    delivered += 1
    return [.told(waiter, .letter(waiting.removeFirst()))] + endIfDrained()
  }

  mutating func poll(_ waiter: Int) -> [Observation] {
    waiting.isEmpty && end == nil ? [] : next(waiter)
  }

  mutating func drainAll() -> [Observation] {
    if end != nil { return [.taken([])] }
    let taken = waiting
    delivered += taken.count
    waiting = []
    return [.taken(taken)] + endIfDrained()
  }

  mutating func finish(_ ending: ChannelEnd) -> [Observation] {
    if end != nil || finishing != nil { return [] }
    finishing = ending
    guard let waiter = consumer else { return endIfDrained() }
    consumer = nil
    let ended = endIfDrained()
    untold = false
    if case .failed(let failure) = ending { return [.told(waiter, .failure(failure))] + ended }
    return [.told(waiter, .end)] + ended
  }

  mutating func cancelConsumer() -> [Observation] {
    if end != nil { return [] }
    let told = consumer.map { [Observation.told($0, .end)] } ?? []
    discarded += waiting.count
    consumer = nil
    waiting = []
    end = .abandoned
    return told + [.ended(.abandoned)]
  }

  private mutating func endIfDrained() -> [Observation] {
    guard let finishing, waiting.isEmpty else { return [] }
    end = finishing
    untold = true
    return [.ended(finishing)]
  }
}
