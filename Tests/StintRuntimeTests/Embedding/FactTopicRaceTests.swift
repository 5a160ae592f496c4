import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

/// Facts as topics while several tasks subscribe, leave, publish and close. Every task has a bounded number
/// of rounds, or ends when the topics are closed or the test stops the host.
@Suite("Facts as topics in several tasks") struct FactTopicRaceTests {
  private static let path = "app.level"

  private static func level() -> FactSchema { FactSchema(path: path, type: .quantity(.length)) }

  /// The host of the topics: it changes the fact to 1, 2, 3 and so on, and publishes each change.
  private final class Host: Sendable {
    let topics = FactTopics()
    private let governor: Locked<Governor>
    private let fact: Int
    private let stops = Locked(false)

    init() throws {
      let governor = Governor(
        vocabulary: Vocabulary(manifests: [], declared: [FactTopicRaceTests.level()]), at: .epoch)
      fact = try #require(governor.vocabulary.fact(FactTopicRaceTests.path))
      self.governor = Locked(governor)
    }

    /// Changes the fact and publishes the change, as the actor of a host does.
    func publish(_ number: Int) {
      governor.withLock { governor in
        _ = governor.step([.fact(fact, .number(Double(number)))], at: governor.now + TimeSpan(nanoseconds: 1))
        topics.update(governor)
      }
    }

    /// Publishes changes until `stop()`.
    func run() async {
      var number = 0
      while !stops.withLock({ $0 }) {
        number += 1
        publish(number)
        await Task.yield()
      }
    }

    func stop() { stops.withLock { $0 = true } }

    /// Subscribes, and returns the messages and the present value of the fact. This value is 0 before the
    /// first change.
    func subscribe() -> (present: Int, Messages<AppFact.Value>) {
      governor.withLock { governor in
        let messages = topics.messages(of: FactTopicRaceTests.path, in: governor, keeping: .newest(65_536))
        return (FactTopicRaceTests.number(governor.facts.value(fact)) ?? 0, messages)
      }
    }
  }

  private static func number(_ value: FactValue) -> Int? {
    if case .number(let number) = value { Int(number) } else { nil }
  }

  private static func number(_ value: AppFact.Value) -> Int? {
    if case .quantity(let number, _) = value { Int(number) } else { nil }
  }

  @Test("a subscriber gets the present value first, and then every later change once, in order")
  func coming() async throws {
    let host = try Host()
    async let publishing: Void = host.run()
    await withTaskGroup(of: Void.self) { readers in
      for reader in 0..<4 {
        readers.addTask {
          for round in 0..<100 { await Self.readSome(host, count: 1 + (reader + round) % 3) }
        }
      }
    }
    host.stop()
    await publishing
    // All subscribers have left, so the next change removes the topic.
    host.publish(-1)
    #expect(!host.topics.isWatching)
  }

  /// Subscribes, reads some values and leaves. The first value is the present value of the fact, if the fact
  /// is known.
  private static func readSome(_ host: Host, count: Int) async {
    let (present, messages) = host.subscribe()
    var last: Int?
    var iterator = messages.makeAsyncIterator()
    for _ in 0..<count {
      do throws(Problem) {
        guard let value = try await iterator.next(), let number = number(value) else {
          Issue.record("the values ended without a problem, or one is unknown")
          return
        }
        #expect(number == last.map { $0 + 1 } ?? max(present, 1))
        last = number
      } catch {
        Issue.record("\(error)")
      }
    }
    #expect(messages.lost == 0)
  }

  @Test("a close during publication ends every present and later subscription", .timeLimit(.minutes(1)))
  func closing() async throws {
    for round in 0..<50 {
      let host = try Host()
      async let publishing: Void = host.run()
      let ends = await withTaskGroup(of: Problem.Code?.self) { group in
        for reader in 0..<4 {
          group.addTask { await Self.readToEnd(host, closesAfter: reader == 0 ? round : nil) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      host.stop()
      await publishing
      #expect(ends == Array(repeating: .closed, count: 4))
      #expect(!host.topics.isWatching)
      // A subscription after the close ends at once, and publishing has no effect.
      host.publish(-1)
      #expect(await Self.readToEnd(host, closesAfter: nil) == .closed)
      #expect(!host.topics.isWatching)
    }
  }

  /// Reads changes until the topics are closed, and returns the reason. Closes the topics after `count`
  /// changes, if `count` is not nil.
  private static func readToEnd(_ host: Host, closesAfter count: Int?) async -> Problem.Code? {
    if count == 0 { host.topics.close() }
    let (_, messages) = host.subscribe()
    var read = 0
    do throws(Problem) {
      for try await _ in messages {
        read += 1
        if read == count { host.topics.close() }
      }
      return nil
    } catch {
      return error.code
    }
  }

  @Test("a bus that closes while clients publish and read a fact ends all their tasks with “closed”")
  func closingBus() async throws {
    let bus = try await Bus(
      plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual,
      facts: [AppFact(Self.path, .quantity(unit: "%"))])
    let codes = await withTaskGroup(of: Problem.Code?.self) { group in
      for reader in 0..<3 {
        group.addTask { await Self.readBus(bus, closesAfter: reader == 0 ? 20 : nil) }
      }
      for publisher in 0..<3 { group.addTask { await Self.publish(on: bus, "client \(publisher)") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: .closed, count: 6))
    let late = await #expect(throws: Problem.self) { try await bus.values(of: Self.path) }
    #expect(late?.code == .closed)
  }

  private static func readBus(_ bus: Bus, closesAfter count: Int?) async -> Problem.Code? {
    var read = 0
    do throws(Problem) {
      for try await _ in try await bus.values(of: path) {
        read += 1
        if read == count { await bus.close() }
      }
      return nil
    } catch {
      return error.code
    }
  }

  /// Publishes different values until the bus refuses them.
  private static func publish(on bus: Bus, _ name: String) async -> Problem.Code? {
    do throws(Problem) {
      let client = try await bus.attach(name, authorized: .always)
      var number = 0.0
      while true {
        number += 1
        try await client.publish(path, .quantity(number, unit: "%"))
      }
    } catch {
      return error.code
    }
  }
}
