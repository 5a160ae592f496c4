import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite("The queue of outlooks, which show why and until when a device does not serve a program")
struct OutlookQueueTests {
  private var queue = OutlookQueue()

  @Test("outlooks are calculated one at a time, for each waiting program in turn")
  mutating func turns() throws {
    for client in ["a", "b", "c"] as [ClientID] { try queue.add(client, "location.gnss") }
    var order: [ClientID] = []
    for _ in 0..<5 {
      let begun = queue.begin()
      let next = try #require(begun)
      #expect(queue.begin() == nil)
      queue.finish()
      order.append(next.client)
      try queue.add(next.client, "location.gnss")
    }
    #expect(order == ["a", "b", "c", "a", "b"])
  }

  @Test("a program cannot request a second outlook before the calculation of the first outlook has ended")
  mutating func single() throws {
    try queue.add("a", "location.gnss")
    #expect(throws: Problem.self) { try queue.add("a", "radio.wifi") }
    _ = queue.begin()
    #expect(throws: Problem.self) { try queue.add("a", "radio.wifi") }
    queue.finish()
    try queue.add("a", "radio.wifi")
    #expect(queue.begin()?.device == "radio.wifi")
  }

  @Test("no outlook is calculated for a program that has left")
  mutating func left() throws {
    try queue.add("a", "location.gnss")
    try queue.add("b", "location.gnss")
    queue.remove("a")
    #expect(queue.begin()?.client == "b")
    queue.finish()
    #expect(queue.begin() == nil)
  }
}
