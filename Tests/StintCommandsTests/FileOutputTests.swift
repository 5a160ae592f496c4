import StintModel
import StintRuntime
import StintSystem
import Testing

@testable import StintCommands

@Suite("Output of a daemon to a file") struct FileOutputTests {
  @Test(
    "while a file write blocks, offering a line returns at once; over 256 KiB, lines are dropped and counted"
  )
  func slow() {
    let gate = Monitor(false)
    let written = Locked<[UInt8]>([])
    let output = FileOutput { _, piece in
      _ = gate.wait { $0 ? true : nil }
      written.withLock { $0 += Array(piece) }
      return piece.count
    }
    let line = String(repeating: "x", count: 1023) + "\n"
    for _ in 0..<1000 { #expect(output.offer(line, to: 1) == nil) }
    gate.changeForAll { $0 = true }
    #expect(output.finish())
    #expect(output.offer("last\n", to: 1) == nil)
    #expect(output.finish())
    let lines = written.withLock { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    let kept = lines.count { $0.first == "x" }
    #expect((256...513).contains(kept))
    // The writing thread may take lines from the queue after other lines were dropped. So the output can
    // contain more than one count of dropped lines.
    let dropped = lines.filter { $0.hasSuffix(" dropped because this output was not read") }
      .compactMap { Int($0.prefix { $0.isNumber }) }
    #expect(dropped.reduce(0, +) == 1000 - kept && lines.last == "last")
  }

  @Test("after a failed write, offering the next line returns the error number")
  func failure() {
    let output = FileOutput { _, _ in
      errno = ENOSPC
      return -1
    }
    #expect(output.offer("lost\n", to: 1) == nil)
    #expect(output.finish())
    #expect(output.offer("next\n", to: 1) == ENOSPC)
    #expect(output.finish())
  }

  @Test("all bytes are written in order when each write call writes at most three bytes")
  func pieces() {
    let written = Locked<[UInt8]>([])
    let output = FileOutput { _, piece in
      written.withLock { $0 += Array(piece.prefix(3)) }
      return min(piece.count, 3)
    }
    for number in 0..<100 { #expect(output.offer("line \(number)\n", to: 1) == nil) }
    #expect(output.finish())
    let expected = (0..<100).map { "line \($0)\n" }.joined()
    #expect(written.withLock { String(decoding: $0, as: UTF8.self) } == expected)
  }
}
