import StintModel
import StintTestSupport
import StintUnits
import Testing

@testable import Stint

@Suite("Topics of a bus") struct TopicTests {
  private enum Door: Sendable, Hashable {
    case opened(Int)
    case shut
  }

  private func withBus(_ body: (Bus) async throws -> Void) async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
    try await Stint.withBus(bus, body)
  }

  @Test("every subscriber gets every message in order, from its subscription on")
  func order() async throws {
    try await withBus { bus in
      let door = try bus.topic("door", of: Door.self)
      #expect(door.latest == nil && door.subscribers == 0)
      door.publish(.shut)
      let first = door.messages()
      door.publish(.opened(1))
      let second = try bus.topic("door", of: Door.self).messages()
      door.publish(.opened(2))
      #expect(door.latest == .opened(2) && door.subscribers == 2)
      var iterator = first.makeAsyncIterator()
      #expect(try await iterator.next() == .opened(1))
      #expect(try await iterator.next() == .opened(2))
      var other = second.makeAsyncIterator()
      #expect(try await other.next() == .opened(2))
    }
  }

  @Test("a slow subscriber loses only its own oldest messages, and they are counted")
  func overflow() async throws {
    try await withBus { bus in
      let numbers = try bus.topic("numbers", of: Int.self)
      let (last, three, all) = (
        numbers.messages(keeping: .latest), numbers.messages(keeping: .newest(3)),
        numbers.messages(keeping: .newest(100))
      )
      for number in 0..<100 { numbers.publish(number) }
      #expect([last.lost, three.lost, all.lost] == [99, 97, 0])
      await bus.close()
      func read(_ messages: Messages<Int>) async -> [Int] {
        var found: [Int] = []
        do throws(Problem) {
          for try await number in messages { found.append(number) }
          Issue.record("the messages ended without a problem")
        } catch {
          #expect(error.code == .closed)
        }
        return found
      }
      #expect(await read(last) == [99])
      #expect(await read(three) == [97, 98, 99])
      #expect(await read(all) == Array(0..<100))
    }
  }

  @Test("a number of kept messages outside 1 to 65,536 is replaced by the nearer bound")
  func bounds() async throws {
    try await withBus { bus in
      let numbers = try bus.topic("numbers", of: Int.self)
      let (none, all) = (
        numbers.messages(keeping: .newest(-1)), numbers.messages(keeping: .newest(.max))
      )
      for number in 0..<70_000 { numbers.publish(number) }
      #expect(none.lost == 69_999)
      #expect(all.lost == 70_000 - 65_536)
    }
  }

  @Test("all subscribers get the messages of concurrent publishers in one order, and no message is lost")
  func concurrent() async throws {
    try await withBus { bus in
      let numbers = try bus.topic("numbers", of: Int.self)
      let subscriptions = (0..<3).map { _ in numbers.messages(keeping: .newest(10_000)) }
      await withTaskGroup(of: Void.self) { group in
        for publisher in 0..<4 {
          group.addTask { for number in 0..<1000 { numbers.publish(publisher * 1000 + number) } }
        }
      }
      var orders: [[Int]] = []
      for subscription in subscriptions {
        var order: [Int] = []
        for try await number in subscription {
          order.append(number)
          if order.count == 4000 { break }
        }
        orders.append(order)
      }
      #expect(orders[0] == orders[1] && orders[1] == orders[2])
      #expect(orders[0].sorted() == Array(0..<4000))
    }
  }

  @Test("a second task that reads the same messages gets “has-reader”")
  func readers() async throws {
    try await withBus { bus in
      let messages = try bus.topic("door", of: Door.self).messages()
      let codes = await withTaskGroup(of: Problem.Code?.self) { group in
        for _ in 0..<2 {
          group.addTask {
            do throws(Problem) {
              for try await _ in messages {}
              return nil
            } catch {
              return error.code
            }
          }
        }
        let first = await group.next() ?? nil
        await bus.close()
        return [first, await group.next() ?? nil]
      }
      #expect(codes == [Problem.Code("has-reader"), .closed])
    }
  }

  @Test("a cancelled or released subscription leaves the topic")
  func departure() async throws {
    try await withBus { bus in
      let door = try bus.topic("door", of: Door.self)
      let messages = door.messages()
      let reader = Task { () -> Door? in
        for try await message in messages { return message }
        return nil
      }
      reader.cancel()
      #expect(try await reader.value == nil)
      do { _ = door.messages() }
      #expect(door.subscribers == 0)
      door.publish(.shut)
      #expect(door.latest == .shut)
    }
  }

  @Test("a second type for a topic, an invalid name of a topic, and a topic of a closed bus are refused")
  func refused() async throws {
    let bus = try await Bus(plugins: .linked([try TickingSensor("location.gnss")]), clock: .virtual)
    let door = try bus.topic("door", of: Door.self)
    #expect(throws: Problem.self) { try bus.topic("door", of: Int.self) }
    #expect(throws: Problem.self) { try bus.topic("a\nb", of: Int.self) }
    await bus.close()
    let error = #expect(throws: Problem.self) { try bus.topic("door", of: Door.self) }
    #expect(error?.code == .closed)
    door.publish(.shut)
    #expect(door.latest == nil)
    let late = await #expect(throws: Problem.self) { for try await _ in door.messages() {} }
    #expect(late?.code == .closed)
  }
}
