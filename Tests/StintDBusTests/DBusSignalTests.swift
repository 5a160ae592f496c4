import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintDBus

@Suite(
  "message bus: signals, names and objects",
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and libsystemd"), .timeLimit(.minutes(2)))
struct DBusSignalTests {
  @Test("a subscription gets the signals that its filter accepts, and no signal after its end")
  func signals() throws {
    try BusStage.run { stage in
      let (service, client) = (try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      let heard = Received<Result<DBusMessage, Problem>>()
      let target = Thermometer.target
      let match = DBusMatch(
        sender: target.service, path: target.path, interface: target.interface, member: "Changed")
      let subscription = client.subscribe(to: match) { heard.add($0) }
      _ = try await client.property("Unit", of: target)
      for (member, path) in [("Other", target.path), ("Changed", "/other"), ("Changed", target.path)] {
        try service.emit(member, [.double(1), .variant(.text("x"))], from: path, target.interface)
      }
      let signal = try await heard.next().get()
      #expect(signal.path == target.path && signal.member == "Changed")
      #expect(signal.values == [.double(1), .variant(.text("x"))])
      client.end(subscription)
      _ = try await client.property("Unit", of: target)
      try service.emit("Changed", from: target.path, target.interface)
      _ = try await client.property("Unit", of: target)
      #expect(heard.count == 1)
    }
  }

  @Test("a subscription to a sender's name ignores signals of programs that do not own this name")
  func forgery() throws {
    try BusStage.run { stage in
      let (service, client, stranger) = (try stage.connect(), try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      let target = Thermometer.target
      let (named, any) = (Received<String>(), Received<String>())
      _ = client.subscribe(to: DBusMatch(sender: target.service, member: "Changed")) { _ in named.add("") }
      // Because of this subscription, the bus passes the signals of all senders to the client.
      _ = client.subscribe(to: DBusMatch(member: "Changed")) { result in
        any.add((try? result.get().values.first?.string) ?? "")
      }
      _ = try await client.property("Unit", of: target)
      try stranger.emit("Changed", [.text("forged")], from: target.path, target.interface)
      #expect(try await any.next() == "forged")
      #expect(named.count == 0)
      try service.emit("Changed", [.text("true")], from: target.path, target.interface)
      #expect(try await any.next() == "true")
      #expect(named.count == 1)
    }
  }

  @Test("a change notice has the new values, and the names of properties that were announced without a value")
  func changes() throws {
    try BusStage.run { stage in
      let (service, client) = (try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      let target = Thermometer.target
      let heard = Received<(DBusValue, [String])?>()
      _ = client.watchProperties(of: target) { result in
        if case .success(let change) = result {
          heard.add((change.changed, change.others))
        } else {
          heard.add(nil)
        }
      }
      _ = try await client.property("Unit", of: target)
      try service.announce([("Level", .double(4))], others: ["Unit"], of: target.path, "org.example.Other")
      try service.announce([("Level", .double(5))], others: ["Unit"], of: target.path, target.interface)
      let change = try await heard.next()
      #expect(change?.0["Level"]?.number == 5 && change?.1 == ["Unit"])
      // The interface is right, but the types are those of another signal.
      try service.emit(
        "PropertiesChanged", [.text(target.interface), .int32(1)], from: target.path,
        "org.freedesktop.DBus.Properties")
      #expect(try await heard.next() == nil)
    }
  }

  @Test(
    "a watch reports when a service disappears and returns; subscriptions follow the new owner of the name"
  )
  func lostAndRegained() throws {
    try BusStage.run { stage in
      let client = try stage.connect()
      let target = Thermometer.target
      let owners = Received<String?>()
      let watch = client.watchName(target.service) { owners.add($0) }
      #expect(try await owners.next() == nil)
      let heard = Received<DBusValue?>()
      _ = client.subscribe(to: DBusMatch(sender: target.service, member: "Changed")) { result in
        heard.add((try? result.get())?.values.first)
      }
      var former: String?
      for round in 0..<3 {
        let service = try stage.connect()
        Thermometer.serve(service)
        let owner = try await owners.next()
        #expect(owner?.hasPrefix(":") == true && owner != former)
        former = owner
        try service.emit("Changed", [.int32(Int32(round))], from: target.path, target.interface)
        #expect(try await heard.next() == .int32(Int32(round)))
        if round == 1 { service.release(name: target.service) } else { service.close() }
        #expect(try await owners.next() == nil)
      }
      client.end(watch)
    }
  }

  @Test("a request for a taken name is queued or refused; the queued program gets the name after its release")
  func ownership() throws {
    try BusStage.run { stage in
      let (first, second, third) = (try stage.connect(), try stage.connect(), try stage.connect())
      let states = [Received<DBusNameState>(), Received(), Received()]
      first.request(name: "org.example.One", .allowReplacement) { states[0].add($0) }
      #expect(try await states[0].next() == .owned)
      second.request(name: "org.example.One") { states[1].add($0) }
      #expect(try await states[1].next() == .queued)
      third.request(name: "org.example.One", .doNotQueue) { states[2].add($0) }
      #expect(try await states[2].next() == .taken)
      first.release(name: "org.example.One")
      #expect(try await states[1].next() == .owned)
      first.request(name: "org.example.Two", .allowReplacement) { states[0].add($0) }
      #expect(try await states[0].next() == .owned)
      second.request(name: "org.example.Two", .replaceExisting) { states[1].add($0) }
      #expect(try await states[0].next() == .lost)
      #expect(try await states[1].next() == .owned)
    }
  }

  @Test("5,000 signals without a pause all arrive, in order")
  func flood() throws {
    try BusStage.run { stage in
      let (service, client) = (try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      let target = Thermometer.target
      let numbers = Locked<[Int64]>([])
      _ = client.subscribe(to: DBusMatch(sender: target.service, member: "Changed")) { result in
        let number = (try? result.get())?.values.first?.integer ?? -1
        numbers.withLock { $0.append(number) }
      }
      _ = try await client.property("Unit", of: target)
      let count = 5_000
      let start = SystemClock.monotonic()
      for number in 0..<count {
        try service.emit("Changed", [.int32(Int32(number))], from: target.path, target.interface)
      }
      var worst = TimeSpan.zero
      while numbers.withLock({ $0.count }) < count {
        let before = SystemClock.monotonic()
        await stage.pause(.milliseconds(1))
        worst = max(worst, SystemClock.monotonic() - before - .milliseconds(1))
      }
      print("\(count) signals in \(SystemClock.monotonic() - start); a timer was late by at most \(worst)")
      #expect(numbers.withLock { $0 } == (0..<count).map { Int64($0) })
    }
  }

  @Test("introspection returns the methods, properties, signals and children of an object")
  func introspection() throws {
    try BusStage.run { stage in
      let (service, client) = (try stage.connect(), try stage.connect())
      Thermometer.serve(service)
      func description(_ path: String) async throws -> String {
        let target = DBusTarget(
          service: Thermometer.name, path: path, interface: "org.freedesktop.DBus.Introspectable")
        return try await client.call(DBusCall(target, "Introspect")).first?.string ?? ""
      }
      #expect(try await description("/") == "<node><node name=\"org\"/></node>")
      let text = try await description(Thermometer.target.path)
      for part in [
        "<method name=\"Add\"><arg type=\"i\" direction=\"in\"/><arg type=\"i\" direction=\"in\"/>",
        "<property name=\"Level\" type=\"d\" access=\"readwrite\"/>",
        "<property name=\"Unit\" type=\"s\" access=\"read\"/>",
        "<signal name=\"Changed\"><arg type=\"d\"/><arg type=\"v\"/></signal>",
      ] { #expect(text.contains(part), "\(text)") }
      #expect(StandardCalls.parts(of: "a{s(iv)}aasx(a{ss}b)") == ["a{s(iv)}", "aas", "x", "(a{ss}b)"])
      service.unexport(Thermometer.target.path)
      let problem = await DBusCallTests.problem(client, DBusCall(Thermometer.target, "Add"))
      #expect(problem?.code == .absent)
    }
  }
}
