public import StintModel
public import StintUnits

/// An estimator computes one fact from facts that devices publish: facts in, a fact out.
///
/// It is a value without a clock. Its caller gives it the facts whenever one of `facts` changed and at `next(after:)`,
/// and publishes its `value(at:)`. The same facts at the same instants give the same values.
public protocol Estimator: Sendable {
  /// The facts whose change the estimator reads at once, by index in the vocabulary.
  var facts: [Int] { get }

  /// Reads the facts that changed since the last call.
  ///
  /// - Parameter isOn: whether the power state of the estimator's device draws more than its floor.
  mutating func read(_ facts: FactTable, isOn: Bool, at now: Instant)

  /// Notes that the device delivered the samples that it held to their clients.
  mutating func delivers(at now: Instant)

  /// The value of the fact; unknown until enough was seen.
  func value(at now: Instant) -> FactValue

  /// The next instant at which the value passes a limit although no fact changes; the distant future for none.
  func next(after now: Instant) -> Instant

  /// The estimator with the state of a former one, where both estimate the same; else the estimator itself.
  func continuing(_ former: Self) -> Self
}

/// A computed fact that an estimator of this module provides.
///
/// An enum and not an existential: a governor changes it in place at every fix, and a box would be allocated each time.
public enum Estimate: Sendable {
  case positionValidity(PositionValidityEstimator)
  case positionSpread(PositionSpreadEstimator)

  /// Makes the estimator of a computed fact.
  ///
  /// - Parameter limits: the constants that conditions compare the fact with, in its canonical unit.
  /// - Returns: nil for a fact that no estimator provides, and for a device that publishes too little.
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

  /// The index of the device whose power state and deliveries change the value; nil where only facts do.
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
