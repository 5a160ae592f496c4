import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite("Outlooks that programs wait for")
struct OutlookQueueTests {
  private var queue = OutlookQueue()

  @Test("one outlook at a time is calculated, and the programs have equal turns")
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

  @Test("a program has one question at a time, also during the calculation of its answer")
  mutating func single() throws {
    try queue.add("a", "location.gnss")
    #expect(throws: Problem.self) { try queue.add("a", "radio.wifi") }
    _ = queue.begin()
    #expect(throws: Problem.self) { try queue.add("a", "radio.wifi") }
    queue.finish()
    try queue.add("a", "radio.wifi")
    #expect(queue.begin()?.device == "radio.wifi")
  }

  @Test("a program that has left gets no turn")
  mutating func left() throws {
    try queue.add("a", "location.gnss")
    try queue.add("b", "location.gnss")
    queue.remove("a")
    #expect(queue.begin()?.client == "b")
    queue.finish()
    #expect(queue.begin() == nil)
  }
}
