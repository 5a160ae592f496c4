import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Synchronization
import Testing

@testable import StintDBus

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(
  "message bus: a missing, lost and idle bus",
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and libsystemd"), .timeLimit(.minutes(2)))
struct DBusLossTests {
  @Test("a missing bus or a missing library is reported as one problem with place, cause and remedy")
  func missing() throws {
    let loop = try LoopExecutor()
    let problem = #expect(throws: Problem.self) { try DBusConnection("unix:path=/nowhere/at/all", on: loop) }
    #expect(problem?.code == .unreachable && problem?.place.description == "the bus")
    #expect(
      problem?.cause == "No such file or directory" && problem?.remedy.contains("/nowhere/at/all") == true)
    let malformed = #expect(throws: Problem.self) { try DBusConnection("nonsense", on: loop) }
    #expect(malformed?.code == .unreachable)
    let absent = #expect(throws: Problem.self) { try SystemdLibrary(file: "libsystemd-absent.so.0") }
    #expect(absent?.code == .unsupported && absent?.place.description == "libsystemd-absent.so.0")
    #expect(absent?.cause == "libsystemd is not installed" && absent?.remedy.isEmpty == false)
    let other = #expect(throws: Problem.self) { try SystemdLibrary(file: "libm.so.6") }
    #expect(other?.cause == "libsystemd has no function sd_bus_new")
  }

  @Test(
    "when the bus ends, calls fail and names are lost; after its restart, names and subscriptions work again"
  )
  func restart() throws {
    try BusStage.run { stage in
      var limits = DBusLimits()
      limits.longestRetry = .milliseconds(50)
      let (service, client) = (try stage.connect(limits), try stage.connect(limits))
      let states = Received<DBusNameState>()
      service.export(Thermometer.target.path, [Thermometer.interface(Level())])
      service.request(name: Thermometer.name) { states.add($0) }
      #expect(try await states.next() == .owned)
      let (owners, heard) = (Received<String?>(), Received<Result<DBusMessage, Problem>>())
      _ = client.watchName(Thermometer.name) { owners.add($0) }
      #expect(try await owners.next() != nil)
      _ = client.subscribe(to: DBusMatch(sender: Thermometer.name, member: "Changed")) { heard.add($0) }
      _ = try await client.property("Unit", of: Thermometer.target)
      for _ in 0..<2 {
        let waiting = Received<Result<[DBusValue], Problem>>()
        stage.bus.kill()
        client.call(DBusCall(Thermometer.target, "Add", [.int32(1), .int32(1)])) { waiting.add($0) }
        guard case .failure(let problem) = try await waiting.next() else {
          Issue.record("a call on a lost bus succeeded")
          return
        }
        #expect([.noValidAnswer, .unreachable].contains(problem.code), "\(problem)")
        #expect(try await states.next() == .lost)
        #expect(try await owners.next() == nil)
        guard case .failure = try await heard.next() else {
          Issue.record("the subscription did not notice the loss")
          return
        }
        #expect(!client.isConnected)
        let late = await DBusCallTests.problem(client, DBusCall(Thermometer.target, "Add"))
        #expect(late?.code == .unreachable)
        stage.bus.start()
        #expect(try await states.next() == .owned)
        #expect(try await owners.next() != nil)
        #expect(client.isConnected)
        #expect(try await client.property("Unit", of: Thermometer.target).string == "C")
        try service.emit("Changed", [.int32(1)], from: Thermometer.target.path, Thermometer.name)
        #expect(try await heard.next().get().values == [.int32(1)])
      }
    }
  }

  @Test("after a loss, a connection without subscriptions connects again only for its next call")
  func lazily() throws {
    try BusStage.run { stage in
      var limits = DBusLimits()
      limits.longestRetry = .milliseconds(10)
      let counting = CountingLoop(stage.loop)
      let client = try DBusConnection(stage.bus.address, on: counting, limits: limits)
      let target = DBusTarget.bus
      _ = try await client.call(DBusCall(target, "GetId"))
      stage.bus.kill()
      await stage.pause(.milliseconds(50))
      #expect(!client.isConnected)
      let before = counting.actions
      stage.bus.start()
      await stage.pause(.milliseconds(100))
      #expect(counting.actions == before && !client.isConnected)
      #expect(try await client.call(DBusCall(target, "GetId")).count == 1)
      #expect(client.isConnected)
    }
  }

  @Test("on a bus that accepts the connection and stays silent, a call fails after its time limit")
  func silentBus() throws {
    let bus = try FakeBus(nil)
    let loop = try LoopExecutor()
    let problem = try Spawner.run(on: loop) { () throws -> Problem? in
      let client = try DBusConnection(bus.address, on: loop)
      return await DBusCallTests.problem(client, DBusCall(.bus, "GetId"), .milliseconds(50))
    }.get()
    #expect(problem?.code == .noValidAnswer && problem?.cause == "no answer within 50 ms")
  }

  @Test("a closed connection releases its handlers, fails later calls and causes no action of the loop")
  func closing() throws {
    try BusStage.run { stage in
      let counting = CountingLoop(stage.loop)
      let connection = try DBusConnection(stage.bus.address, on: counting)
      weak var released: Level?
      do {
        let level = Level()
        released = level
        Thermometer.serve(connection, level: level)
        _ = connection.watchName("org.example.Other") { _ in level.value = 1 }
        _ = connection.subscribe(to: DBusMatch()) { _ in level.value = 1 }
      }
      _ = try await connection.call(DBusCall(.bus, "GetId"))
      #expect(released != nil)
      connection.close()
      #expect(released == nil)
      #expect(await DBusCallTests.problem(connection, DBusCall(.bus, "GetId"))?.code == .interrupted)
      connection.close()
      let actions = counting.actions
      stage.bus.kill()
      await stage.pause(.milliseconds(30))
      #expect(counting.actions == actions && !connection.isConnected)
    }
  }

  @Test("an idle connection with subscriptions, watches and objects causes no wake-up")
  func idle() throws {
    try BusStage.run { stage in
      let counting = CountingLoop(stage.loop)
      let connection = try DBusConnection(stage.bus.address, on: counting)
      let states = Received<DBusNameState>()
      connection.export(Thermometer.target.path, [Thermometer.interface(Level())])
      connection.request(name: Thermometer.name) { states.add($0) }
      _ = try await states.next()
      let owners = Received<String?>()
      _ = connection.watchName("org.example.Other") { owners.add($0) }
      _ = try await owners.next()
      _ = connection.watchProperties(of: Thermometer.target) { _ in }
      _ = try await connection.property("Unit", of: Thermometer.target)
      await stage.pause(.milliseconds(50))
      let actions = counting.actions
      let switches = Self.voluntarySwitches
      await stage.pause(.seconds(1))
      let woken = Self.voluntarySwitches - switches
      print("in an idle second: \(counting.actions - actions) actions, \(woken) sleeps of the loop's thread")
      #expect(counting.actions == actions)
      // The timer with which this test waits ends one sleep of the thread.
      #expect(woken <= 1)
    }
  }

  /// The number of times that the calling thread has waited.
  private static var voluntarySwitches: Int {
    var usage = rusage()
    #if canImport(Glibc)
      // RUSAGE_THREAD.
      getrusage(1, &usage)
    #endif
    return usage.ru_nvcsw
  }
}

/// A wrapper of a `LoopExecutor` that counts the called actions.
final class CountingLoop: PluginLoop {
  private let loop: LoopExecutor
  private let counter = Atomic(0)

  init(_ loop: LoopExecutor) { self.loop = loop }

  var actions: Int { counter.load(ordering: .relaxed) }

  private func counted(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    { [self] in
      counter.add(1, ordering: .relaxed)
      action()
    }
  }

  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    loop.watchReadable(descriptor, counted(action))
  }

  func unwatchReadable(_ descriptor: Int32) { loop.unwatchReadable(descriptor) }

  func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    loop.watchWritable(descriptor, counted(action))
  }

  func unwatchWritable(_ descriptor: Int32) { loop.unwatchWritable(descriptor) }

  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    loop.call(after: span, counted(action))
  }
}
