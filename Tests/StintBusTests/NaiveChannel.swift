@testable import StintBus

/// A simple model of a channel: one array of all waiting elements, searched from the start.
struct NaiveChannel {
  struct Entry {
    var letter: Letter
    /// The suspended producer of the element; nil when the element is in the buffer.
    var producer: Int?
  }

  var policy: OverflowPolicy
  var waiting: [Entry] = []
  /// The number of the waiting consumer; nil when no consumer waits.
  var consumer: Int?
  /// The requested end, which takes effect when no element waits; nil before `finish`.
  var finishing: ChannelEnd?
  var end: ChannelEnd?
  /// True when the channel has ended and no consumer has received the end.
  var untold = false
  var accepted = 0
  var delivered = 0
  var overflowed = 0
  var discarded = 0

  init(policy: OverflowPolicy) { self.policy = policy }

  var buffered: Int { waiting.count { $0.producer == nil } }
  var heldProducers: [Int] { waiting.compactMap(\.producer) }

  mutating func offer(_ letter: Letter, producer: Int?) -> [Observation] {
    if end != nil || finishing != nil { return [.offered(.closed)] }
    if let waiter = consumer {
      consumer = nil
      accepted += 1
      delivered += 1
      return [.offered(.accepted), .told(waiter, .letter(letter))]
    }
    if buffered < policy.capacity {
      accepted += 1
      waiting.append(Entry(letter: letter, producer: nil))
      return waiting.count == 1 ? [.offered(.accepted), .ready] : [.offered(.accepted)]
    }
    if case .hold = policy {
      guard let producer else { return [.offered(.full)] }
      waiting.append(Entry(letter: letter, producer: producer))
      return []
    }
    accepted += 1
    overflowed += 1
    waiting.removeFirst()
    waiting.append(Entry(letter: letter, producer: nil))
    return [.offered(.displaced)]
  }

  mutating func cancelSend(_ producer: Int) -> [Observation] {
    waiting.removeAll { $0.producer == producer }
    return [.released(producer, .cancelled)]
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
    return [.told(waiter, .letter(waiting.removeFirst().letter))] + admit() + endIfDrained()
  }

  mutating func poll(_ waiter: Int) -> [Observation] {
    waiting.isEmpty && end == nil ? [] : next(waiter)
  }

  mutating func drainAll() -> [Observation] {
    if end != nil { return [.taken([])] }
    let taken = waiting
    delivered += taken.count
    accepted += heldProducers.count
    let released = heldProducers.map { Observation.released($0, .accepted) }
    waiting = []
    return [.taken(taken.map(\.letter))] + released + endIfDrained()
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
    let released = heldProducers.map { Observation.released($0, .closed) }
    discarded += buffered
    consumer = nil
    waiting = []
    end = .abandoned
    return told + released + [.ended(.abandoned)]
  }

  private mutating func admit() -> [Observation] {
    guard let index = waiting.firstIndex(where: { $0.producer != nil }),
      let producer = waiting[index].producer
    else { return [] }
    waiting[index].producer = nil
    accepted += 1
    return [.released(producer, .accepted)]
  }

  private mutating func endIfDrained() -> [Observation] {
    guard let finishing, waiting.isEmpty else { return [] }
    end = finishing
    untold = true
    return [.ended(finishing)]
  }
}
