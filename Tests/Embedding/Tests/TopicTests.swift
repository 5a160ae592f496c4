import Stint
import StintSimulation
import Testing

/// Topics for the app's own messages.
@Suite struct TopicTests {
  private enum Door: Sendable, Hashable {
    case opened(Int)
    case shut
  }

  private func bus() async throws -> Bus { try await Bus(plugins: .linked([]), clock: .virtual) }

  @Test("subscribers get all messages in order; only a slow subscriber loses messages, which are counted")
  func order() async throws {
    let bus = try await bus()
    let door = try bus.topic("door", of: Door.self)
    let all = door.messages(keeping: .newest(2_000))
    let slow = door.messages(keeping: .newest(3))
    for number in 0..<1_000 { door.publish(.opened(number)) }
    #expect(door.latest == .opened(999) && door.subscribers == 2)
    #expect(all.lost == 0 && slow.lost == 997)
    var expected = 0
    for try await message in all {
      #expect(message == .opened(expected))
      expected += 1
      if expected == 1_000 { break }
    }
    var rest: [Door] = []
    for try await message in slow {
      rest.append(message)
      if rest.count == 3 { break }
    }
    #expect(rest == [.opened(997), .opened(998), .opened(999)])
    await bus.close()
  }

  @Test(
    "readers of a fact get the present value and each change; the lost values of a slow reader are counted"
  )
  func facts() async throws {
    let rain = AppFact("weather.rain", .quantity(unit: "m"))
    let bus = try await Bus(plugins: .linked([]), clock: .virtual, facts: [rain])
    let app = try await bus.attach("app", authorized: .denied)
    try await app.publish("weather.rain", .quantity(1, unit: "m"))
    let all = try await bus.values(of: "weather.rain")
    let slow = try await bus.values(of: "weather.rain", keeping: .latest)
    for metres in [1.0, 2, 2, 3, 4] { try await app.publish("weather.rain", .quantity(metres, unit: "m")) }
    var seen: [AppFact.Value] = []
    for try await value in all {
      seen.append(value)
      if seen.count == 4 { break }
    }
    #expect(seen == [1.0, 2, 3, 4].map { .quantity($0, unit: "m") })
    #expect(all.lost == 0 && slow.lost == 3)
    for try await value in slow {
      #expect(value == .quantity(4, unit: "m"))
      break
    }
    #expect(await bus.fact("weather.rain") == .quantity(4, unit: "m"))
    await #expect(throws: Problem.self) { try await bus.values(of: "weather.snow") }
    await bus.close()
    await #expect(throws: Problem.self) { for try await _ in all {} }
    await #expect(throws: Problem.self) { try await bus.values(of: "weather.rain") }
  }

  @Test(
    "a reader of a fact gets the present value once; if this value is unknown, it gets the next change")
  func present() async throws {
    let rain = AppFact("weather.rain", .quantity(unit: "m"))
    let bus = try await Bus(plugins: .linked([]), clock: .virtual, facts: [rain])
    let app = try await bus.attach("app", authorized: .denied)
    let early = try await bus.values(of: "weather.rain")
    var readers = [early]
    for metres in 1...3 {
      try await app.publish("weather.rain", .quantity(Double(metres), unit: "m"))
      readers.append(try await bus.values(of: "weather.rain"))
    }
    for (place, reader) in readers.enumerated() {
      var seen: [AppFact.Value] = []
      for try await value in reader {
        seen.append(value)
        if value == .quantity(3, unit: "m") { break }
      }
      #expect(seen == (max(place, 1)...3).map { .quantity(Double($0), unit: "m") })
    }
    await app.detach()
    let unknown = try await bus.values(of: "weather.rain")
    var ends: [AppFact.Value] = []
    for try await value in early {
      ends.append(value)
      break
    }
    #expect(ends == [.unknown])
    await bus.close()
    await #expect(throws: Problem.self) { for try await _ in unknown { Issue.record("an element") } }
  }

  @Test("an app reads the first value of a device's fact and each change of the fact")
  func deviceFacts() async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("app", authorized: .always)
    var states: Messages<AppFact.Value>? = try await bus.values(of: "location.gnss.on")
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    try await bus.advance(by: .seconds(60))
    await app.end("way")
    try await bus.advance(by: .seconds(60))
    var seen: [AppFact.Value] = []
    if let states {
      for try await value in states {
        seen.append(value)
        if seen.count == 3 { break }
      }
    }
    #expect(seen == [.truth(false), .truth(true), .truth(false)])
    states = nil
    await bus.close()
  }

  @Test("four writers and four readers exchange 4,000 messages without loss, in one order for all readers")
  func contention() async throws {
    let bus = try await bus()
    let numbers = try bus.topic("numbers", of: Int.self)
    let readers = (0..<4).map { _ in numbers.messages(keeping: .newest(4_096)) }
    let orders = try await withThrowingTaskGroup(of: [Int].self) { group in
      for reader in readers {
        group.addTask {
          var order: [Int] = []
          for try await number in reader {
            order.append(number)
            if order.count == 4_000 { break }
          }
          return order
        }
      }
      await withTaskGroup(of: Void.self) { writers in
        for writer in 0..<4 {
          writers.addTask { for number in 0..<1_000 { numbers.publish(writer * 1_000 + number) } }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(orders.count == 4 && Set(orders).count == 1)
    #expect(orders[0].sorted() == Array(0..<4_000))
    for writer in 0..<4 {
      let own = orders[0].filter { $0 / 1_000 == writer }
      #expect(own == own.sorted(), "the messages of one writer keep their order")
    }
    await bus.close()
  }

  @Test("a topic with an invalid name or a second type is refused; reading on a closed bus is an error")
  func misuse() async throws {
    let bus = try await bus()
    let door = try bus.topic("door", of: Door.self)
    for name in ["", "two\nlines", String(repeating: "x", count: 300)] {
      #expect(throws: Problem.self, "\(name.prefix(10))") { try bus.topic(name, of: Int.self) }
    }
    let other = #expect(throws: Problem.self) { try bus.topic("door", of: Int.self) }
    #expect(other?.code == .invalid)
    await bus.close()
    door.publish(.shut)
    let late = await #expect(throws: Problem.self) { for try await _ in door.messages() {} }
    #expect(late?.code == .closed)
  }
}
