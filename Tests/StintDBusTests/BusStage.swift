import StintModel
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

@testable import StintDBus

/// A private D-Bus message bus, with the loop on which a test and its connections run.
struct BusStage: Sendable {
  let bus: PrivateBus
  let loop: LoopExecutor

  /// Runs the body on a loop, as a daemon does.
  static func run(_ body: @escaping @Sendable (BusStage) async throws -> Void) throws {
    let stage = BusStage(bus: try PrivateBus.started(), loop: try LoopExecutor())
    try Spawner.run(on: stage.loop) { try await body(stage) }.get()
  }

  func connect(_ limits: DBusLimits = DBusLimits()) throws -> DBusConnection {
    try DBusConnection(bus.address, on: loop, limits: limits)
  }

  /// Suspends the test for a time. The loop continues to handle events.
  func pause(_ span: TimeSpan) async { _ = await loop.sleep(until: SystemClock.monotonic() + span) }
}

/// The values that a handler received, in order. One task may wait for the next value.
final class Received<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation
  private let counter = Locked(0)

  init() { (stream, continuation) = AsyncStream.makeStream(of: Value.self) }

  var count: Int { counter.withLock { $0 } }

  func add(_ value: Value) {
    counter.withLock { $0 += 1 }
    continuation.yield(value)
  }

  func next() async throws -> Value {
    for await value in stream { return value }
    throw CancellationError()
  }
}

/// An example D-Bus service with one object.
enum Thermometer {
  static let name = "org.example.Thermometer"
  static let target = DBusTarget(service: name, path: "/org/example/Thermometer", interface: name)

  /// Exports the object and requests the name of the service.
  static func serve(_ connection: DBusConnection, level: Level = Level()) {
    connection.export(target.path, [interface(level)])
    connection.request(name: name) { _ in }
  }

  static func interface(_ level: Level) -> DBusInterface {
    DBusInterface(
      name,
      methods: [
        DBusMethod("Echo", arguments: "v", results: "v") { call, answer in answer.succeed(call.values) },
        DBusMethod("Add", arguments: "ii", results: "i") { call, answer in
          let sum = call.values.compactMap(\.integer).reduce(0, +)
          answer.succeed([.int32(Int32(truncatingIfNeeded: sum))])
        },
        DBusMethod("Refuse") { _, answer in
          answer.fail(Problem(Problem.Code("org.example.Error.Cold"), cause: "it is too cold"))
        },
        DBusMethod("Forget") { _, _ in },
      ],
      properties: [
        DBusProperty(
          "Level", "d",
          write: { value in
            guard let number = value.number, number.isFinite else {
              return .refusal("InvalidArgs", "no number")
            }
            level.value = number
            return nil
          }, read: { .double(level.value) }),
        DBusProperty("Unit", "s") { .text("C") },
      ],
      signals: [DBusSignal("Changed", "dv")])
  }
}

/// A number that closures share.
final class Level: Sendable {
  private let number: Locked<Double>

  init(_ number: Double = 21.5) { self.number = Locked(number) }

  var value: Double {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}
