import StintModel
import Testing

@testable import StintCommands

@Suite("Output of a daemon whose reader does not read") struct OutputBacklogTests {
  @Test(
    "after a blockage, a reader gets the rest of the cut line, the number of dropped lines, and new lines"
  )
  func blocked() {
    var backlog = OutputBacklog()
    var read: [UInt8] = []
    var room = 10
    func offer(_ text: String) {
      let number = backlog.offer(text) { piece in
        guard room > 0 else { return nil }
        let count = min(room, piece.count)
        read += piece.prefix(count)
        room -= count
        return count
      }
      #expect(number == nil)
    }
    offer("first line\n")
    for number in 0..<5 { offer("lost \(number)\n") }
    #expect(String(decoding: read, as: UTF8.self) == "first line")
    room = 1000
    offer("next line\n")
    #expect(
      String(decoding: read, as: UTF8.self)
        == "first line\n5 lines were dropped because this output was not read\nnext line\n")
    room = 2
    offer("abc\n")
    offer("lost\nlost\n")
    #expect(
      String(decoding: backlog.drain(), as: UTF8.self)
        == "c\n2 lines were dropped because this output was not read\n")
    #expect(backlog.drain().isEmpty)
    #expect(backlog.allDropped == 7)
  }
}
