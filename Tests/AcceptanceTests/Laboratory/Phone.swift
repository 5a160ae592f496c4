import StintDaemon
import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintSimulation
import StintTools
import StintUnits
import Testing

/// The reference phone on a path of legs (movements and rests), with clients and services, in virtual time.
/// All times are seconds since the start.
struct Phone {
  static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)

  let host: Host
  let observer: PhoneObserver
  let vocabulary: Vocabulary

  /// Opens a phone with the policy in force.
  ///
  /// - Parameters:
  ///   - legs: the movements; empty for a rest at the origin.
  ///   - devices: the devices of the reference phone that this phone has; nil for all of them.
  ///   - facts: the facts in the scenario: second, path, value in policy syntax.
  ///   - policy: the items of a policy, without its first line.
  ///   - plugins: additional plugins. Each replaces the phone's own plugin for the same device, if there is
  ///     one.
  init(
    _ legs: [Leg] = [], devices: [DeviceID]? = nil, declares: [FactSchema] = [],
    facts: [(Double, String, String)] = [], faults: [InjectedFault] = [], policy: String = "",
    plugins others: [any DevicePlugin] = [], beacons: [PlacedBeacon] = [],
    room: DiskFullSwitch = DiskFullSwitch(), seed: UInt64 = 1
  ) async throws {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let scenario = Scenario(
      name: "laboratory", start: Self.start, duration: .hours(2000), devices: devices, origin: origin,
      legs: legs, declares: declares,
      changes: facts.map { second, path, text in
        FactChange(at: .of(seconds: second), values: [FactAssignment(path: path, text: text)])
      }, faults: faults, beacons: beacons)
    let phone = ReferencePhone(scenario, seed: seed, meter: EnergyMeter())
    var plugins = try phone.plugins()
    plugins.removeAll { plugin in others.contains { $0.manifest.device == plugin.manifest.device } }
    let set = try PluginSet(plugins + others)
    vocabulary = Vocabulary(manifests: set.manifests, declared: declares)
    observer = PhoneObserver(start: Self.start)
    host = Host(
      governor: Governor(vocabulary: vocabulary, at: Self.start), plugins: set,
      source: ScriptSource(scenario.script, vocabulary: vocabulary), observer: observer,
      filter: FaultFilter(faults, manifests: set.manifests, start: Self.start, seed: seed) {
        room.isFull = $0
      })
    await host.open()
    CheckedPhones.register?.add(self)
    if !policy.isEmpty { try await load(policy) }
  }

  /// Puts a policy in force now.
  func load(_ policy: String) async throws {
    try await host.load(try program(policy), policies: [], at: await host.now)
  }

  /// Prepares a policy for loading.
  func program(_ policy: String) throws -> Program {
    let text = SourceText(file: "test.stint", bytes: Array("policy \"test\" version 1\n\(policy)\n".utf8))
    let loaded = PolicyLoader(vocabulary: vocabulary).load([text])
    return try #require(
      loaded.program, "\(DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))")
  }

  /// Lets time pass until this second.
  func run(until second: Double) async { await host.run(until: Self.start + .of(seconds: second)) }

  func serve(_ inputs: ServiceInput...) async { await host.serve(inputs, at: await host.now) }

  /// Attaches a client, for the first time or again after it has detached.
  func attach(
    _ client: ClientID, _ permissions: Permissions = .always, mayBackground: Bool = true
  ) async {
    await serve(.attach(client, permissions: permissions, mayBackground: mayBackground))
  }

  /// Requests a service of a client under a name.
  func ask(_ client: ClientID, _ name: String, _ request: any ServiceRequest) async {
    await serve(.ask(ServiceID(client, name), request, receivers: .both))
  }

  func end(_ client: ClientID, _ name: String) async { await serve(.end(ServiceID(client, name))) }

  func command(_ client: ClientID, _ name: String, _ command: any ServiceCommand) async {
    await serve(.command(ServiceID(client, name), command))
  }

  // MARK: Results

  /// Returns the notices of a client's services, each with its second. A nil `name` selects all services.
  func notices<Notice: ServiceNotice>(
    _ type: Notice.Type = Notice.self, for client: ClientID, _ name: String? = nil
  ) -> [(second: Double, notice: Notice)] {
    observer.everything.notices.compactMap { entry in
      guard entry.id.client == client, name == nil || entry.id.name == name,
        let notice = entry.notice as? Notice
      else { return nil }
      return (entry.second, notice)
    }
  }

  /// Returns the states that a device entered, each with its second: `search 0`, `track 47`.
  func states(of device: DeviceID) -> [String] {
    observer.everything.states.filter { $0.text.hasPrefix("\(device) ") }.map { entry in
      "\(entry.text.dropFirst(device.path.count + 1)) \(Quantity.number(entry.second))"
    }
  }

  /// Returns the number of seconds for which a device has been on.
  func onTime(of device: DeviceID) async -> Double {
    guard let manifest = vocabulary.manifest(device) else { return 0 }
    let on = Set(manifest.states.filter(\.isOn).map { "\(device) \($0.name)" })
    var total = 0.0
    var since: Double?
    for entry in observer.everything.states where entry.text.hasPrefix("\(device) ") {
      if on.contains(entry.text) {
        since = since ?? entry.second
      } else if let began = since {
        total += entry.second - began
        since = nil
      }
    }
    let now = (await host.now - Self.start).seconds
    return total + (since.map { now - $0 } ?? 0)
  }

  /// Returns whether the governor reports the device as on.
  func isOn(_ device: DeviceID) async -> Bool {
    guard let fact = vocabulary.fact("\(device.path).on") else { return false }
    return await host.snapshot.facts.value(fact) == .boolean(true)
  }

  func ledger() async -> Ledger { await host.snapshot.ledger(at: await host.now) }

  /// Checks the general invariants: no powered time without a cause, and a balanced ledger.
  func expectInvariants(_ location: SourceLocation = #_sourceLocation) async {
    let governor = await host.snapshot
    let now = await host.now
    #expect(governor.unexplained(at: now) == .zero, sourceLocation: location)
    #expect(governor.ledger(at: now).isBalanced, sourceLocation: location)
  }
}

extension TimeSpan {
  /// Returns a span of this number of seconds, rounded to the nearest nanosecond.
  static func of(seconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((seconds * 1_000_000_000).rounded()))
  }
}
