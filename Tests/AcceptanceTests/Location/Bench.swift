import StintGovernor
import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

/// Services and governor with simulated devices that apply each setting immediately. There are no threads and
/// no simulation of radio or movement, so thousands of event sequences take only seconds. The test decides
/// when the receiver has a fix.
struct Bench {
  static let gnss: DeviceID = "location.gnss"
  static let start = Instant(nanoseconds: 0)

  private(set) var board: ServiceBoard
  private(set) var governor: Governor
  let vocabulary: Vocabulary
  private(set) var now = Bench.start
  /// The number of times that each device was switched on.
  private(set) var powerUps: [DeviceID: Int] = [:]
  private(set) var powerDowns: [DeviceID: Int] = [:]
  private(set) var lastOff: [DeviceID: Instant] = [:]
  private(set) var notices: [(at: Instant, id: ServiceID, notice: any ServiceNotice)] = []
  private(set) var refusals: [(id: ServiceID, failure: ServiceFailure)] = []
  /// The services that have ended, with the reason.
  private(set) var ends: [(at: Instant, id: ServiceID, end: ServiceEnd)] = []
  private(set) var wakeUps = 0
  /// The permission prompts to the user and the power-ups of devices, in order.
  private(set) var journal: [String] = []

  private var served: [DemandID: DeviceID] = [:]
  private var settings: [DeviceID: Setting] = [:]
  private var held: [DeviceID: [Sample]] = [:]
  private var sequence: UInt64 = 0
  private var odometer = 0.0

  init(_ change: (inout [Manifest]) -> Void = { _ in }) throws {
    var manifests = try ReferencePhone.manifests()
    change(&manifests)
    vocabulary = Vocabulary(manifests: manifests)
    board = ServiceBoard(vocabulary, at: Self.start)
    governor = Governor(vocabulary: vocabulary, at: Self.start)
  }

  var isOn: Bool { settings[Self.gnss]?.isOn == true }
  var isHolding: Bool { settings[Self.gnss]?.isHolding == true }

  func notices<Notice: ServiceNotice>(_ type: Notice.Type = Notice.self, _ id: ServiceID? = nil) -> [Notice] {
    notices.compactMap { entry in id == nil || entry.id == id ? entry.notice as? Notice : nil }
  }

  // MARK: Actions

  mutating func attach(
    _ client: ClientID, _ permissions: Permissions = .always, mayBackground: Bool = true
  ) {
    serve(.attach(client, permissions: permissions, mayBackground: mayBackground))
  }

  mutating func ask(_ id: ServiceID, _ request: any ServiceRequest) {
    serve(.ask(id, request, receivers: .both))
  }

  mutating func serve(_ inputs: ServiceInput...) { settle(inputs, []) }

  /// Publishes a fact, with the value as a string in policy syntax.
  mutating func publishFact(_ path: String, _ text: String) throws {
    let value = try #require(vocabulary.schema(path)?.value(from: text))
    publish(path, value)
  }

  /// Lets time pass; timers expire on time.
  mutating func run(to instant: Instant) {
    while true {
      let next = min(board.nextTimer, governor.nextTimer)
      guard next <= instant else { break }
      now = max(now, next)
      settle([], [])
    }
    now = max(now, instant)
  }

  mutating func run(for span: TimeSpan) { run(to: now + span) }

  /// Gives the receiver a fix at this position if the receiver is on. The fix is delivered at once, or held
  /// when the receiver holds samples and its queue is not full. `metres` is the distance moved since the last
  /// fix.
  mutating func fix(_ place: Coordinate, accuracy: Double = 4, speed: Double = 0, moved metres: Double = 0) {
    guard isOn else { return }
    odometer += metres
    let sample = Sample(instant: now, sequence: sequence, place.latitude, place.longitude, accuracy, speed)
    sequence += 1
    held[Self.gnss, default: []].append(sample)
    let isFull = (held[Self.gnss]?.count ?? 0) >= (vocabulary.manifest(Self.gnss)?.fifo ?? 0)
    var inputs: [ServiceInput] = []
    var governorInputs: [Input] = []
    if !isHolding {
      drain(Self.gnss, .immediate, &inputs, &governorInputs)
    } else if isFull {
      drain(Self.gnss, .full, &inputs, &governorInputs)
    }
    let name = Self.gnss.path
    for (suffix, value) in [
      ("latitude", place.latitude), ("longitude", place.longitude), ("accuracy", accuracy), ("speed", speed),
      ("distance", odometer),
    ] {
      tell("\(name).\(suffix)", .number(value), &inputs, &governorInputs)
    }
    settle(inputs, governorInputs)
  }

  // MARK: The loop

  private mutating func publish(_ path: String, _ value: FactValue) {
    var inputs: [ServiceInput] = []
    var governorInputs: [Input] = []
    tell(path, value, &inputs, &governorInputs)
    settle(inputs, governorInputs)
  }

  private func tell(
    _ path: String, _ value: FactValue, _ inputs: inout [ServiceInput], _ governorInputs: inout [Input]
  ) {
    inputs.append(.fact(path, value))
    if let fact = vocabulary.fact(path) { governorInputs.append(.fact(fact, value)) }
  }

  /// Passes an event of a device to the services and to the governor.
  mutating func device(_ device: DeviceID, _ event: DeviceEvent) {
    var governorInputs: [Input] = []
    if case .available(let isThere) = event, let number = vocabulary.device(device) {
      governorInputs.append(.available(device: number, isThere))
    }
    settle([.device(device, event)], governorInputs)
  }

  private mutating func settle(_ first: [ServiceInput], _ firstGovernorInputs: [Input]) {
    var inputs = first
    var governorInputs = firstGovernorInputs
    repeat {
      for effect in board.step(inputs, at: now) { take(effect, &governorInputs) }
      inputs = []
      let effects = governor.step(governorInputs, at: now)
      governorInputs = []
      for effect in effects { perform(effect, &inputs, &governorInputs) }
    } while !inputs.isEmpty || !governorInputs.isEmpty
  }

  private mutating func take(_ effect: ServiceEffect, _ governorInputs: inout [Input]) {
    switch effect {
    case .raise(let demand): governorInputs.append(.raise(demand))
    case .release(let demand), .withdraw(let demand): governorInputs.append(.release(demand))
    case .notice(let id, let notice): notices.append((now, id, notice))
    case .refused(let id, let failure), .refusedCommand(let id, let failure): refusals.append((id, failure))
    case .notifyUser(let client, _): journal.append("ask \(client)")
    case .wake(let demand): governorInputs.append(.wakeRequested(demand))
    case .over(let id, let end): ends.append((now, id, end))
    case .launch, .order, .publish, .publishSignal, .presence, .permissions, .setHasConsumer, .accepted: break
    }
  }

  private mutating func perform(
    _ effect: Effect, _ inputs: inout [ServiceInput], _ governorInputs: inout [Input]
  ) {
    switch effect {
    case .set(let number, let setting): set(number, setting, &inputs, &governorInputs)
    case .drain(let number, let reason):
      drain(vocabulary.manifests[number].device, reason, &inputs, &governorInputs)
    case .wakeProcessor: wakeUps += 1
    case .grant(let demand, let grant):
      served[demand.id] = grant.provider
      inputs.append(.granted(demand.id, grant))
    case .ended(let demand):
      served[demand.id] = nil
      inputs.append(.ended(demand.id))
    case .carry, .read, .act, .moved, .refused, .faulted, .began, .ceased: break
    }
  }

  private mutating func set(
    _ number: Int, _ setting: Setting, _ inputs: inout [ServiceInput], _ governorInputs: inout [Input]
  ) {
    let manifest = vocabulary.manifests[number]
    let wasOn = settings[manifest.device]?.isOn == true
    if settings[manifest.device]?.isHolding == true, !setting.isHolding {
      drain(manifest.device, .ended, &inputs, &governorInputs)
    }
    settings[manifest.device] = setting
    guard let state = manifest.states.lastIndex(where: { $0.isOn == setting.isOn }) else { return }
    governorInputs.append(.outcome(device: number, .state(state, period: setting.period)))
    if setting.isOn, !wasOn {
      powerUps[manifest.device, default: 0] += 1
      journal.append("on \(manifest.device)")
    } else if wasOn, !setting.isOn {
      powerDowns[manifest.device, default: 0] += 1
      lastOff[manifest.device] = now
    }
  }

  private mutating func drain(
    _ device: DeviceID, _ reason: DeliveryReason, _ inputs: inout [ServiceInput],
    _ governorInputs: inout [Input]
  ) {
    guard let samples = held.removeValue(forKey: device), let number = vocabulary.device(device) else {
      return
    }
    let owners = served.filter { $0.value == device }.map(\.key).sorted()
    inputs.append(.batch(Batch(device: device, samples: samples, reason: reason), owners))
    governorInputs.append(.delivered(device: number, samples: samples.count, reason: reason))
  }
}
