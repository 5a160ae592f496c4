import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintDBus

@Suite(
  "message bus: calls and properties",
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and libsystemd"), .timeLimit(.minutes(2)))
struct DBusCallTests {
  @Test("a call of another program's method returns its result; values of each type pass the bus unchanged")
  func calls() throws {
    try BusStage.run { stage in
      let service = try stage.connect()
      Thermometer.serve(service)
      let client = try stage.connect()
      let sum = try await client.call(DBusCall(Thermometer.target, "Add", [.int32(40), .int32(2)]))
      #expect(sum == [.int32(42)])
      let values: [DBusValue] = [
        .byte(255), .boolean(true), .boolean(false), .int16(-2), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.5), .text("Grüße"), .path("/a/b"), .signature("a{sv}"),
        .bytes([]), .bytes([0, 1, 255]), .array([], of: "(si)"), .array([.text("a"), .text("")], of: "s"),
        .array([.bytes([1]), .bytes([])], of: "ay"), .options([("a", .int32(1)), ("b", .text("c"))]),
        .dictionary([], key: "u", value: "as"),
        .structure([.text("a"), .structure([.byte(1), .variant(.variant(.double(2)))])]),
      ]
      for value in values {
        let echo = try await client.call(DBusCall(Thermometer.target, "Echo", [.variant(value)]))
        #expect(echo == [.variant(value)])
      }
    }
  }

  @Test("an error reply becomes a problem with the name and the text of the error")
  func refusals() throws {
    try BusStage.run { stage in
      let service = try stage.connect()
      Thermometer.serve(service)
      let client = try stage.connect()
      let absent = DBusTarget(service: "org.example.Absent", path: "/", interface: "org.example.Absent")
      let elsewhere = DBusTarget(service: Thermometer.name, path: "/nowhere", interface: Thermometer.name)
      let cases: [(DBusCall, Problem.Code, String)] = [
        (DBusCall(Thermometer.target, "Refuse"), .refused, "org.example.Error.Cold: it is too cold"),
        (DBusCall(Thermometer.target, "Forget"), .noValidAnswer, "the object gave no answer"),
        (DBusCall(Thermometer.target, "Unknown"), .unknownName, "no method Unknown"),
        (DBusCall(Thermometer.target, "Add", [.text("1")]), .type, "have the types “s”, not “ii”"),
        (DBusCall(elsewhere, "Add"), .absent, "there is no object /nowhere"),
        (DBusCall(absent, "Add"), .absent, "ServiceUnknown"),
        (DBusCall(Thermometer.target, "not valid"), .value, "not valid on a message bus"),
        (DBusCall(Thermometer.target, "Echo", [.variant(.path("no path"))]), .value, "not valid"),
        (DBusCall(Thermometer.target, "Echo", [.variant(.text("a\0b"))]), .value, "not valid"),
        (DBusCall(Thermometer.target, "Echo", [.array([.byte(1)], of: "s")]), .value, "not valid"),
      ]
      for (call, code, cause) in cases {
        let problem = await Self.problem(client, call)
        #expect(problem?.code == code && problem?.cause.contains(cause) == true, "\(call): \(problem as Any)")
      }
      let place = await Self.problem(client, DBusCall(Thermometer.target, "Refuse"))?.place.description
      #expect(place == "org.example.Thermometer.Refuse")
    }
  }

  static func problem(_ client: DBusConnection, _ call: DBusCall, _ limit: TimeSpan = .seconds(20)) async
    -> Problem?
  {
    do throws(Problem) {
      let values = try await client.call(call, within: limit)
      Issue.record("\(call) returned \(values)")
      return nil
    } catch {
      return error
    }
  }

  @Test("properties are read singly and together; valid values are set, and invalid values are refused")
  func properties() throws {
    try BusStage.run { stage in
      let service = try stage.connect()
      let level = Level()
      Thermometer.serve(service, level: level)
      let client = try stage.connect()
      #expect(try await client.property("Level", of: Thermometer.target) == .double(21.5))
      let all = Received<Result<DBusValue, Problem>>()
      client.properties(of: Thermometer.target) { all.add($0) }
      let values = try await all.next().get()
      #expect(values["Level"] == .double(21.5) && values["Unit"]?.string == "C" && values["Other"] == nil)
      let written = Received<Result<Void, Problem>>()
      func set(_ name: String, _ value: DBusValue) async throws -> String? {
        client.setProperty(name, of: Thermometer.target, to: value) { written.add($0) }
        if case .failure(let problem) = try await written.next() { return problem.cause }
        return nil
      }
      #expect(try await set("Level", .double(3)) == nil)
      #expect(level.value == 3)
      #expect(try await set("Level", .double(.nan))?.contains("no number") == true)
      #expect(try await set("Level", .text("3"))?.contains("has the type “d”") == true)
      #expect(try await set("Unit", .text("K"))?.contains("can only be read") == true)
      #expect(try await set("Other", .text("K"))?.contains("no property Other") == true)
      #expect(level.value == 3)
    }
  }

  @Test("while a service does not answer, other events of the loop are handled within 10 ms")
  func silentService() throws {
    try BusStage.run { stage in
      let service = try stage.connect()
      let answers = Received<DBusAnswer>()
      let target = DBusTarget(service: "org.example.Slow", path: "/slow", interface: "org.example.Slow")
      service.export(
        "/slow",
        [
          DBusInterface(
            "org.example.Slow",
            methods: [
              DBusMethod("Wait") { _, answer in answers.add(answer) }
            ])
        ])
      service.request(name: target.service) { _ in }
      let client = try stage.connect()
      // The service never answers; the limit of 30 s does not pass within the test.
      let endless = Received<Result<[DBusValue], Problem>>()
      client.call(DBusCall(target, "Wait"), within: .seconds(30)) { endless.add($0) }
      let unused = try await answers.next()
      var (worst, late) = (TimeSpan.zero, 0)
      for _ in 0..<50 {
        let before = SystemClock.monotonic()
        await stage.pause(.milliseconds(2))
        let delay = SystemClock.monotonic() - before - .milliseconds(2)
        worst = max(worst, delay)
        if delay >= .milliseconds(10) { late += 1 }
      }
      print("a timer during a pending call was late by at most \(worst)")
      // A busy machine may stop the whole process now and then. A blocked loop would be late each time.
      #expect(late <= 2)
      // A short limit ends a call on time, while the other call continues.
      let before = SystemClock.monotonic()
      let problem = await Self.problem(client, DBusCall(target, "Wait"), .milliseconds(100))
      let waited = SystemClock.monotonic() - before
      #expect(
        problem?.code == .noValidAnswer && problem?.cause == "no answer within 100 ms", "\(problem as Any)")
      #expect(waited >= .milliseconds(100) && waited < .seconds(1), "\(waited)")
      // An answer after the limit is ignored.
      try await answers.next().succeed([.text("late")])
      await stage.pause(.milliseconds(20))
      #expect(endless.count == 0)
      withExtendedLifetime(unused) {}
      client.close()
      guard case .failure(let end) = try await endless.next() else {
        Issue.record("the call succeeded")
        return
      }
      #expect(end.code == .interrupted)
    }
  }

  @Test("calls beyond the maximum number of pending calls fail, and the connection still works")
  func tooManyCalls() throws {
    try BusStage.run { stage in
      let service = try stage.connect()
      Thermometer.serve(service)
      var limits = DBusLimits()
      limits.calls = 8
      let client = try stage.connect(limits)
      let results = Received<Result<[DBusValue], Problem>>()
      for _ in 0..<20 {
        client.call(DBusCall(Thermometer.target, "Add", [.int32(1), .int32(1)])) { results.add($0) }
      }
      var codes: [Problem.Code?] = []
      for _ in 0..<20 {
        if case .failure(let problem) = try await results.next() {
          codes.append(problem.code)
        } else {
          codes.append(nil)
        }
      }
      #expect(codes.filter { $0 == nil }.count == 8 && codes.filter { $0 == .tooMany }.count == 12)
      #expect(try await client.property("Unit", of: Thermometer.target).string == "C")
    }
  }
}
