public import StintModel
public import StintUnits

/// An estimator computes one fact from facts that devices publish.
///
/// An estimator is a value without a clock. The caller passes the facts to the estimator whenever one of
/// `facts` changes and at `next(after:)`, and publishes the result of `value(at:)`. The same facts at the
/// same instants yield the same values.
public protocol Estimator: Sendable {
  /// The facts whose changes the estimator must read at once, as indexes in the vocabulary.
  var facts: [Int] { get }

  /// Reads the facts that changed since the last call.
  ///
  /// - Parameter isOn: whether the power state of the estimator's device counts as on.
  mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant)

  /// Records that the device delivered its samples to the clients.
  mutating func delivers(at now: Instant)

  /// Returns the value of the fact; unknown until the estimator has enough data.
  func value(at now: Instant) -> FactValue

  /// Returns the next instant at which the value may pass a limit without a change of facts. Returns the
  /// distant future when there is no such instant.
  func next(after now: Instant) -> Instant

  /// Returns this estimator with the state of `former` when both estimate the same fact. Otherwise returns
  /// this estimator unchanged.
  func continuing(_ former: Self) -> Self
}

/// A computed fact that an estimator of this module provides.
///
/// This type is an enum, because a governor changes it in place at every fix. An existential would allocate
/// memory each time.
public enum Estimate: Sendable {
  case positionValidity(PositionValidityEstimator)
  case positionSpread(PositionSpreadEstimator)

  /// Makes the estimator of a computed fact.
  ///
  /// - Parameter limits: the constants with which conditions compare the fact, in the canonical unit of the
  ///   fact.
  /// - Returns: nil when no estimator provides the fact, or when the device does not publish the required
  ///   facts.
  public init?(_ source: ComputedFact.Source, limits: [Double] = [], in vocabulary: Vocabulary) {
    switch source {
    case .respite(let device, let bound):
      guard
        let estimator = PositionValidityEstimator(device, bound: bound, limits: limits, in: vocabulary)
      else { return nil }
      self = .positionValidity(estimator)
    case .observed(.spread(let device, let window)):
      guard let estimator = PositionSpreadEstimator(device, window: window, in: vocabulary) else {
        return nil
      }
      self = .positionSpread(estimator)
    default: return nil
    }
  }

  /// The index of the device whose power state and deliveries change the value; nil when only facts change
  /// it.
  public var device: Int? {
    switch self {
    case .positionValidity(let estimator): estimator.device
    case .positionSpread: nil
    }
  }
}

extension Estimate: Estimator {
  public var facts: [Int] {
    switch self {
    case .positionValidity(let estimator): estimator.facts
    case .positionSpread(let estimator): estimator.facts
    }
  }

  public mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant) {
    switch self {
    case .positionValidity(var estimator):
      estimator.read(facts, isOn: isOn, at: now)
      self = .positionValidity(estimator)
    case .positionSpread(var estimator):
      estimator.read(facts, isOn: isOn, at: now)
      self = .positionSpread(estimator)
    }
  }

  public mutating func delivers(at now: Instant) {
    switch self {
    case .positionValidity(var estimator):
      estimator.delivers(at: now)
      self = .positionValidity(estimator)
    case .positionSpread(var estimator):
      estimator.delivers(at: now)
      self = .positionSpread(estimator)
    }
  }

  public func value(at now: Instant) -> FactValue {
    switch self {
    case .positionValidity(let estimator): estimator.value(at: now)
    case .positionSpread(let estimator): estimator.value(at: now)
    }
  }

  public func next(after now: Instant) -> Instant {
    switch self {
    case .positionValidity(let estimator): estimator.next(after: now)
    case .positionSpread(let estimator): estimator.next(after: now)
    }
  }

  public func continuing(_ former: Estimate) -> Estimate {
    switch (self, former) {
    case (.positionValidity(let estimator), .positionValidity(let former)):
      .positionValidity(estimator.continuing(former))
    case (.positionSpread(let estimator), .positionSpread(let former)):
      .positionSpread(estimator.continuing(former))
    default: self
    }
  }
}
