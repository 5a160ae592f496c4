import StintDBus
import StintModel
import StintPluginKit
import StintUnits

/// The combined values of all power supplies, from UPower over D-Bus.
final class UPower: Sendable {
  private static let service = DBusTarget(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower", interface: "org.freedesktop.UPower")
  /// UPower's display device, which combines all batteries.
  private static let display = DBusTarget(
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower/devices/DisplayDevice",
    interface: "org.freedesktop.UPower.Device")
  /// The longest time to wait for the values.
  private static let timeout = TimeSpan.seconds(2)

  /// The properties of a reading, in the order of `PowerReading.init(answers:)`.
  private static let properties = [
    ("OnBattery", service), ("IsPresent", display), ("Type", display), ("State", display),
    ("Percentage", display), ("EnergyRate", display),
  ]

  private let connection: DBusConnection

  /// Connects and subscribes to changes.
  ///
  /// - Parameter onChange: called on the loop after a change; with a problem when the bus is lost.
  init(
    _ address: String?, on loop: any PluginLoop, onChange: @escaping @Sendable (Problem?) -> Void
  ) throws(Problem) {
    connection = try DBusConnection(address, on: loop)
    for object in [Self.service, Self.display] {
      let match = DBusMatch(
        sender: object.service, path: object.path, interface: "org.freedesktop.DBus.Properties",
        member: "PropertiesChanged")
      _ = connection.subscribe(to: match) { result in
        if case .failure(let problem) = result { onChange(problem) } else { onChange(nil) }
      }
    }
  }

  /// Queries all values at the same time and reports them together. The handler is called on the loop.
  func read(_ handler: @escaping @Sendable (Result<PowerReading, Problem>) -> Void) {
    let collected = Collected(count: Self.properties.count)
    for (index, (name, object)) in Self.properties.enumerated() {
      connection.property(name, of: object, within: Self.timeout) { result in
        guard let all = collected.add(result, index) else { return }
        handler(Result { () throws(Problem) in try PowerReading(answers: all) })
      }
    }
  }

  func close() { connection.close() }

  /// The answers of one reading.
  private final class Collected: Sendable {
    private let answers: Locked<[Result<DBusValue, Problem>?]>

    init(count: Int) { answers = Locked(Array(repeating: nil, count: count)) }

    /// Adds an answer. Returns all answers when this was the last answer; nil while other answers are
    /// missing.
    func add(_ answer: Result<DBusValue, Problem>, _ index: Int) -> [Result<DBusValue, Problem>]? {
      answers.withLock { answers in
        answers[index] = answer
        let all = answers.compactMap(\.self)
        return all.count == answers.count ? all : nil
      }
    }
  }
}

extension PowerReading {
  /// Makes a reading from the answers of UPower. Without a battery, only the first two answers are needed.
  init(answers: [Result<DBusValue, Problem>]) throws(Problem) {
    func value<Value>(_ index: Int, _ name: String, _ read: (DBusValue) -> Value?) throws(Problem) -> Value {
      let answer = try answers[index].get()
      guard let value = read(answer) else {
        throw Problem(.type, place: name, cause: "the value has the type “\(answer.signature)”")
      }
      return value
    }
    let isOnBattery = try value(0, "OnBattery", \.flag)
    guard try value(1, "IsPresent", \.flag) else {
      self.init(isOnBattery: isOnBattery)
      return
    }
    self.init(
      isOnBattery: isOnBattery, type: try value(2, "Type", Self.count),
      state: try value(3, "State", Self.count),
      percentage: try value(4, "Percentage", \.number), watts: try value(5, "EnergyRate", \.number))
  }

  private static func count(_ value: DBusValue) -> UInt32? {
    if case .uint32(let count) = value { count } else { nil }
  }

  /// Makes the reading of a machine without a battery.
  init(isOnBattery: Bool) {
    self.init([])
    isExternal = !isOnBattery
  }

  /// Makes a reading from UPower's values.
  ///
  /// Type 2 is a battery, and type 3 is an uninterruptible power supply. The states are, from 0: unknown,
  /// charging, discharging, empty, full, pending charge, pending discharge.
  init(isOnBattery: Bool, type: UInt32, state: UInt32, percentage: Double, watts: Double) {
    self.init(isOnBattery: isOnBattery)
    guard type == 2 || type == 3 else { return }
    if (0...100).contains(percentage) {
      level = percentage / 100
    } else {
      complaints.append("UPower: a charge of \(percentage) % is impossible")
    }
    if (1...6).contains(state) { isCharging = state == 1 }
    if watts.isFinite {
      power = min(abs(watts), 10_000)
    } else {
      complaints.append("UPower: a rate of \(watts) W is impossible")
    }
  }
}
