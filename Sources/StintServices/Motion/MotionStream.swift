import StintModel
import StintUnits

/// One client's stream of one kind of motion. The stream raises demands on the sensor and on the devices that
/// the sensor needs as inputs. It delivers the samples that fit the client's interval.
struct MotionStream: Service {
  private var request: MotionRequest
  /// The device whose samples the client receives, and the devices whose samples this device needs as inputs.
  private var sensor: (device: DeviceID, inputs: [DeviceID])?
  /// The demand whose samples are used; nil while stopped.
  private var sampleDemand: DemandID?
  /// The demands on the sensor's inputs.
  private var inputDemands: [DemandID] = []
  /// Whether the stream continues while its client is in the background.
  private var isServedInBackground = false
  /// A temporary demand by which the sensor delivers its held samples at once.
  private var flushDemand: DemandID?
  private var decimator = Decimator()
  private var grantedInterval: TimeSpan
  private var latest: Sample?
  /// True while the answer to `MotionCommand.read` waits for the held samples of the sensor.
  private var isReading = false
  /// True while the client processes a sample. Used only for the backlog `newest`.
  private var isBusy = false
  /// The newest sample that arrived while the client was processing an earlier sample.
  private var waitingSample: Sample?
  private var receiverGoneAt: Instant?
  private var hasWarned = false

  /// How long a stream runs without a receiver before its client is warned.
  static let warningDelay = TimeSpan.seconds(60)

  init(_ request: MotionRequest) {
    self.request = request
    grantedInterval = request.interval.timeSpan
  }

  func need(_ roles: DeviceRoles) -> PermissionNeed {
    request.kind.role == nil
      ? request.kind.devices(roles).first.map(roles.need(forSamplesOf:)) ?? .motion : .motion
  }
  var commandType: (any ServiceCommand.Type)? { MotionCommand.self }
  var role: DeviceRole? { request.kind.role }
  private var interval: TimeSpan { request.interval.timeSpan }
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { request.kind.devices(roles) }
  /// False with the backlog `newest`. The client then gets the newest sample of the first batch, so later
  /// batches must not be joined to this batch.
  var joinsBatches: Bool { request.backlog != .newest }

  var nextTimer: Instant {
    guard let receiverGoneAt, !hasWarned else { return .distantFuture }
    return receiverGoneAt + Self.warningDelay
  }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    let devices = candidates(context.roles)
    guard let device = devices.first(where: context.isAvailable) ?? devices.first else {
      outbox.fail(ServiceFailure(.unavailable, "no device provides \(role?.provision ?? "motion")"))
      return
    }
    let inputs = context.manifest(device)?.inputs ?? []
    if let missing = ([device] + inputs).first(where: { !context.isAvailable($0) }) {
      outbox.fail(ServiceFailure(.unavailable, "“\(device)” needs “\(missing)”, which is not available"))
      return
    }
    sensor = (device, inputs)
    isServedInBackground = context.isServedInBackground(request.background, on: device)
    raiseDemands(&outbox)
  }

  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool {
    guard let request = request as? MotionRequest, request.kind == self.request.kind else { return false }
    guard request != self.request || sampleDemand == nil else { return true }
    self.request = request
    isServedInBackground = context.isServedInBackground(request.background, on: sensor?.device)
    isBusy = false
    waitingSample = nil
    receiverGoneAt = nil
    hasWarned = false
    renew(&outbox)
    return true
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .batch(let batch, sampleDemand): deliver(batch.samples, &outbox)
    case .granted(flushDemand, _): if let flushDemand { outbox.release(flushDemand) }
    case .granted(sampleDemand, let grant): note(grant, &outbox)
    case .ended(flushDemand): answer(&outbox)
    case .command(let command as MotionCommand): handle(command, context, &outbox)
    case .device(let device, .available(false)): lose(device, "is no longer available", &outbox)
    case .device(let device, .fault(let sentence)): lose(device, "has a fault: \(sentence)", &outbox)
    case .timer: warn(context, &outbox)
    default: break
    }
  }

  // MARK: Demands

  /// Raises demands on the sensor and its inputs, all at this stream's interval.
  private mutating func raiseDemands(_ outbox: inout ServiceOutbox) {
    guard let sensor else { return }
    var wants = DemandSettings(period: interval, background: isServedInBackground)
    switch request.mode {
    case .push(let latency): wants.latency = latency.timeSpan > .zero ? latency.timeSpan : nil
    // In pull mode, waiting samples must not wake the processor, so the device keeps as many samples as
    // it can.
    case .pull: wants.latency = .hours(24)
    }
    sampleDemand = outbox.raise(sensor.device, wants)
    inputDemands = sensor.inputs.map { outbox.raise($0, wants) }
    grantedInterval = interval
    decimator.restart()
  }

  /// Raises the new demands before it releases the old demands, so that the sensor stays on.
  private mutating func renew(_ outbox: inout ServiceOutbox) {
    let old = [sampleDemand].compactMap { $0 } + inputDemands
    raiseDemands(&outbox)
    for demand in old { outbox.release(demand) }
  }

  private mutating func stop(_ outbox: inout ServiceOutbox) {
    for demand in [sampleDemand].compactMap({ $0 }) + inputDemands { outbox.release(demand) }
    sampleDemand = nil
    inputDemands = []
    waitingSample = nil
  }

  private mutating func note(_ grant: Grant, _ outbox: inout ServiceOutbox) {
    guard grant.status == .served, let period = grant.period, period != grantedInterval else { return }
    grantedInterval = period
    if period > interval {
      outbox.notify(MotionNotice.interval(asked: interval.duration, given: period.duration))
    }
  }

  private mutating func lose(_ device: DeviceID, _ what: String, _ outbox: inout ServiceOutbox) {
    guard sampleDemand != nil, let sensor, ([sensor.device] + sensor.inputs).contains(device) else { return }
    outbox.fail(ServiceFailure(.failed, "“\(sensor.device)” cannot continue: “\(device)” \(what)"))
  }

  // MARK: Samples

  private func send(_ samples: [Sample], _ outbox: inout ServiceOutbox) {
    guard let sensor else { return }
    outbox.notify(MotionNotice.samples(samples, of: sensor.device))
  }

  private mutating func deliver(_ samples: [Sample], _ outbox: inout ServiceOutbox) {
    let ownSamples = decimator.pick(samples, every: max(interval, grantedInterval))
    latest = samples.last ?? latest
    guard case .push = request.mode, receiverGoneAt == nil, let newest = ownSamples.last else { return }
    guard request.backlog == .newest else {
      send(ownSamples, &outbox)
      return
    }
    if isBusy {
      waitingSample = newest
    } else {
      isBusy = true
      send([newest], &outbox)
    }
  }

  func rejectionReason(of command: any ServiceCommand) -> ServiceFailure? {
    guard case .interval(let interval)? = command as? MotionCommand else { return nil }
    var edited = request
    edited.interval = interval
    return edited.rejectionReason
  }

  private mutating func handle(
    _ command: MotionCommand, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) {
    switch command {
    case .read: read(&outbox)
    case .interval(let interval):
      guard interval != request.interval else { return }
      request.interval = interval
      if sampleDemand != nil { renew(&outbox) }
    case .handled:
      isBusy = waitingSample != nil
      if let newest = waitingSample { send([newest], &outbox) }
      waitingSample = nil
    case .stop: stop(&outbox)
    case .receiverGone:
      guard sampleDemand != nil, receiverGoneAt == nil else { return }
      receiverGoneAt = context.instant
      if !request.outlivesReceiver { outbox.finish() }
    }
  }

  private mutating func warn(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    guard let receiverGoneAt, receiverGoneAt + Self.warningDelay <= context.instant, !hasWarned else {
      return
    }
    hasWarned = true
    if sampleDemand != nil, let sensor {
      outbox.notify(MotionNotice.warning("W-LEAK", "“\(sensor.device)” runs without a receiver; stop it"))
    }
  }

  // MARK: Reading

  /// Makes the sensor deliver its held samples, by a temporary demand without latency.
  private mutating func read(_ outbox: inout ServiceOutbox) {
    guard sampleDemand != nil, request.mode == .pull else {
      outbox.notify(MotionNotice.latest(latest, isStale: sampleDemand == nil))
      return
    }
    isReading = true
    if flushDemand == nil, let sensor {
      flushDemand = outbox.raise(sensor.device, DemandSettings(period: interval))
    }
  }

  private mutating func answer(_ outbox: inout ServiceOutbox) {
    flushDemand = nil
    guard isReading else { return }
    isReading = false
    outbox.notify(MotionNotice.latest(latest, isStale: sampleDemand == nil))
  }
}
