public import StintModel

/// What an analysis found, with values that show it.
public struct Finding: Hashable, Sendable {
  public var diagnostic: Diagnostic
  /// Facts for which it comes about; nil where no values are needed to see it.
  public var witness: Witness?

  /// Makes a finding.
  public init(_ diagnostic: Diagnostic, witness: Witness? = nil) {
    self.diagnostic = diagnostic
    self.witness = witness
  }
}

/// Values of facts for which something comes about; facts that it does not name may be anything.
public struct Witness: Hashable, Sendable {
  /// A fact and its value.
  public struct Reading: Hashable, Sendable {
    public var path: String
    public var value: FactValue

    /// Makes a reading.
    public init(path: String, value: FactValue) {
      self.path = path
      self.value = value
    }
  }

  public var readings: [Reading]

  /// Makes a witness.
  public init(readings: [Reading]) { self.readings = readings }
}
