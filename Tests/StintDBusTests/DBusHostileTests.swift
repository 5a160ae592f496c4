import StintModel
import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintDBus

@Suite(
  "message bus: hostile messages",
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and libsystemd"), .timeLimit(.minutes(3)))
struct DBusHostileTests {
  @Test(
    "wrong input: large or deeply nested messages are rejected, and the connection still works")
  func largeAndDeep() throws {
    try BusStage.run { stage in
      let (service, client) = (try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      let target = Thermometer.target
      let heard = Received<Result<DBusMessage, Problem>>()
      _ = client.subscribe(to: DBusMatch(sender: target.service, member: "Changed")) { heard.add($0) }
      _ = try await client.property("Unit", of: target)
      var deep = DBusValue.int32(1)
      for _ in 0..<40 { deep = .variant(deep) }
      let cases: [(DBusValue, Problem.Code)] = [
        (.array(Array(repeating: .byte(1), count: 70_000).map { .variant($0) }, of: "v"), .tooLarge),
        (.array(Array(repeating: .int32(1), count: 70_000), of: "i"), .tooLarge),
        (.bytes([UInt8](repeating: 1, count: 2 << 20)), .tooLarge),
        (.text(String(repeating: "x", count: 2 << 20)), .tooLarge),
        (deep, .depth),
      ]
      for (value, code) in cases {
        try service.emit("Changed", [value], from: target.path, target.interface)
        let result = try await heard.next()
        guard case .failure(let problem) = result else {
          Issue.record("\(code) was expected")
          continue
        }
        #expect(problem.code == code, "\(problem)")
        #expect(problem.place.description == "org.example.Thermometer.Changed")
      }
      // As an argument of a call, the deeply nested value also causes an error.
      let problem = await DBusCallTests.problem(client, DBusCall(target, "Echo", [.variant(deep)]))
      #expect(problem?.code == .type && problem?.cause.contains("levels deep") == true, "\(problem as Any)")
      #expect(try await client.property("Unit", of: target).string == "C")
    }
  }

  /// A message whose content contradicts its signature, with the code of the expected problem.
  struct Forgery: Sendable, CustomStringConvertible {
    var description: String
    var signature: String
    var body: [UInt8]
    var code: Problem.Code
  }

  private static let forgeries: [Forgery] = [
    Forgery(description: "a body that is missing", signature: "s", body: [], code: .corrupt),
    Forgery(
      description: "a string beyond the end", signature: "s", body: [255, 0, 0, 0, 65, 0], code: .corrupt),
    Forgery(
      description: "a string without an end", signature: "s", body: [1, 0, 0, 0, 65, 66], code: .corrupt),
    Forgery(
      description: "a string with a NUL", signature: "s", body: [2, 0, 0, 0, 65, 0, 0], code: .corrupt),
    Forgery(description: "no UTF-8", signature: "s", body: [1, 0, 0, 0, 255, 0], code: .corrupt),
    Forgery(description: "no path", signature: "o", body: [1, 0, 0, 0, 65, 0], code: .corrupt),
    Forgery(
      description: "an array beyond the end", signature: "ai", body: [64, 0, 0, 0, 1, 0, 0, 0], code: .corrupt
    ),
    Forgery(
      description: "a broken array", signature: "ai", body: [6, 0, 0, 0, 1, 0, 0, 0, 2, 0], code: .corrupt),
    Forgery(
      description: "bytes beyond the end", signature: "ay", body: [255, 255, 255, 127, 1], code: .corrupt),
    Forgery(description: "a variant without a type", signature: "v", body: [0, 0], code: .corrupt),
    Forgery(
      description: "a variant of two types", signature: "v", body: [2, 121, 121, 0, 1, 2], code: .corrupt),
    Forgery(description: "an unknown type", signature: "v", body: [1, 122, 0, 1], code: .corrupt),
    Forgery(
      description: "a deep variant", signature: "v",
      body: Array([[UInt8]](repeating: [1, 118, 0], count: 200).joined()) + [1, 121, 0, 1], code: .depth),
    Forgery(description: "a descriptor", signature: "h", body: [0, 0, 0, 0], code: .unsupported),
  ]

  @Test("wrong input: a message whose content contradicts its signature is rejected", arguments: forgeries)
  func contradictions(forgery: Forgery) throws {
    let first = RawMessage(signature: forgery.signature, body: forgery.body).bytes
    let second = RawMessage(signature: "u", body: RawMessage.number(42)).bytes
    let bus = try FakeBus { _ in first + second }
    let loop = try LoopExecutor()
    let results = Spawner.run(on: loop) { () throws -> [Result<DBusMessage, Problem>] in
      let client = try DBusConnection(bus.address, on: loop)
      let heard = Received<Result<DBusMessage, Problem>>()
      _ = client.subscribe(to: DBusMatch(member: "Sent")) { heard.add($0) }
      return [try await heard.next(), try await heard.next()]
    }
    let found = try results.get()
    if case .failure(let problem) = found[0] {
      // For some contradictions, the library ends the connection.
      #expect([forgery.code, .noValidAnswer].contains(problem.code), "\(problem)")
      if problem.code == .noValidAnswer { return }
    } else {
      Issue.record("\(found[0]) was accepted")
    }
    #expect(try found[1].get().values == [.uint32(42)])
  }

  @Test("damaged messages never crash the program, and a later connection works")
  func damage() throws {
    let good =
      RawMessage(
        signature: "sa{sv}as",
        body: RawMessage.string("abc") + RawMessage.number(16) + [0, 0, 0, 0] + RawMessage.string("k")
          + [1, 117, 0] + [0, 0, 0] + [1, 2, 3, 4] + RawMessage.number(6) + RawMessage.string("z")
      ).bytes
    let values: [DBusValue] = [
      .text("abc"), .options([("k", .uint32(0x0403_0201))]), .array([.text("z")], of: "s"),
    ]
    let rounds = 300
    let last = RawMessage(signature: "u", body: RawMessage.number(7)).bytes
    let bus = try FakeBus { client in
      var generator = SeededGenerator(seed: UInt64(client))
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      return client == rounds ? good : bytes + last + good
    }
    let loop = try LoopExecutor()
    let counts = Spawner.run(on: loop) { () throws -> (Int, Int, Int) in
      var (read, rejected, lost) = (0, 0, 0)
      for round in 0...rounds {
        let client = try DBusConnection(bus.address, on: loop)
        let heard = Received<Result<DBusMessage, Problem>>()
        _ = client.subscribe(to: DBusMatch()) { heard.add($0) }
        // After a message with a damaged length, the client may wait for bytes that never come.
        for _ in 0..<20 where heard.count == 0 {
          _ = await loop.sleep(until: SystemClock.monotonic() + .milliseconds(1))
        }
        if heard.count > 0 {
          switch try await heard.next() {
          case .success(let signal):
            read += 1
            if round == rounds { #expect(signal.values == values) }
          case .failure(let problem): if problem.code == .noValidAnswer { lost += 1 } else { rejected += 1 }
          }
        }
        client.close()
      }
      return (read, rejected, lost)
    }
    let (read, rejected, lost) = try counts.get()
    print("\(rounds) damaged messages: \(rejected) were rejected, \(lost) ended the connection")
    #expect(read > 0 && rejected > 0 && lost > 0)
  }
}
