public import StintModel
import StintUnits

/// A request for the raw samples of one device. The samples reach the client as notices. No other device
/// serves the request.
///
/// A caller that reads the samples of a demand without notices uses `SampleRequest`.
public struct RawSamples: NamedRequest {
  /// The requested device.
  public var target: DeviceID
  /// The requested settings. Every setting is optional; a missing setting comes from the policies' defaults.
  public var wants: DemandSettings

  /// Makes a request.
  public init(_ target: DeviceID, wants: DemandSettings = DemandSettings()) {
    self.target = target
    self.wants = wants
  }

  public var rejectionReason: ServiceFailure? {
    if let failure = ServiceFailure(wants.accuracy.map(Length.meters), "the accuracy", .accuracy) {
      return failure
    }
    return wants.rejectionReason.map { ServiceFailure(.invalid, $0) }
  }

  public func rejectionReason(on vocabulary: Vocabulary) -> ServiceFailure? {
    guard let manifest = vocabulary.manifest(target) else { return nil }
    if manifest.kind == .radio || manifest.kind == .source {
      return ServiceFailure(.invalid, "\(target) has no samples; it is a \(manifest.kind.rawValue)")
    }
    return manifest.failure(of: wants.attributes)
  }

  public var needsBackground: Bool { wants.background == true }

  public func makeService() -> any Service { RawSampleService(request: self) }
}

extension RawSamples {
  public static let kind = "samples"

  enum CodingKeys: String, CodingKey {
    case device
  }

  /// Decodes the device and the settings of `DemandSettings`, which are members of the same object.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      DeviceID(try members.required(NameForm.self, .device)), wants: try DemandSettings(from: decoder))
  }
}

extension DeviceRoles {
  /// Returns the permission for the raw samples of a device, which depends on the roles of the device.
  /// Samples of a device without a known role may reveal where the client is, so they need the permission for
  /// precise positions.
  package func need(forSamplesOf device: DeviceID) -> PermissionNeed {
    let roles = roles(of: device)
    if roles.contains(.positioning) { return .preciseLocation(.whenInUse) }
    if roles.contains(.transfers) || roles.contains(.metered) { return .network }
    let motion: Set<DeviceRole> = [.activity, .acceleration, .rotation, .magneticField, .deviceMotion]
    return roles.isDisjoint(with: motion) ? .preciseLocation(.whenInUse) : .motion
  }
}

/// A notice of `RawSamples` to its client.
public enum SampleNotice: ServiceNotice, Hashable {
  /// One or more samples of the device at the client's own rate, oldest first.
  case samples(Batch)
}

/// A service that raises one demand, and passes on the samples of the demand at the client's own rate.
struct RawSampleService: Service {
  let request: RawSamples
  private var demand: DemandID?
  private var decimator = Decimator()

  init(request: RawSamples) { self.request = request }

  func need(_ roles: DeviceRoles) -> PermissionNeed { roles.need(forSamplesOf: request.target) }
  var interests: ServiceInterests { .demands }
  func candidates(_ roles: DeviceRoles) -> [DeviceID] { [request.target] }
  var drainsBeforeEnd: Bool { true }
  var joinsBatches: Bool { true }

  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    var wants = request.wants
    wants.background = context.isServedInBackground(wants.background, on: request.target)
    demand = outbox.raise(onlyOn: request.target, wants)
  }

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    switch event {
    case .client:
      // The client may have attached again without background use.
      guard request.needsBackground, !context.client.mayBackground else { return }
      outbox.fail(ServiceFailure.lacksBackground(context.client.id))
    case .batch(var batch, demand):
      if let period = request.wants.period { batch.samples = decimator.pick(batch.samples, every: period) }
      if !batch.samples.isEmpty { outbox.notify(SampleNotice.samples(batch)) }
    case .ended(let ended) where ended == demand: outbox.finish()
    default: return
    }
  }
}
