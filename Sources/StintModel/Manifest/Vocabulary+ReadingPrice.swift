import StintUnits

/// The prices of facts. The governor and the analyses use them to determine which operands of a condition are
/// read: an operand is not read while another operand that costs at most as much decides the condition.
extension Vocabulary {
  /// Returns the sensor that must work for a fact. For a published fact, this is its sensor. For a computed
  /// fact, this is the sensor of the published fact from which it is computed. Nil when no sensor must work.
  public func sensor(ofFact number: Int) -> Manifest? {
    let path =
      number < firstComputed ? facts[number].path : computed[number - firstComputed].sensedInput?.path
    guard let schema = path.flatMap({ schema($0) }), let manifest = schema.device.flatMap({ manifest($0) }),
      manifest.isSensed(schema)
    else { return nil }
    return manifest
  }

  /// Returns the power that is needed to keep a fact known, in nanowatts; 0 for a fact that costs nothing.
  ///
  /// For a circular zone, this is the power of the cheapest device that publishes positions, with one fix in
  /// each `Manifest.probeRetry`. A governor whose rules only observe zones pays nothing for them.
  public func readingPrice(ofFact number: Int) -> Int64 {
    if let sensor = sensor(ofFact: number) { return sensor.readingPower(at: nil).nanowatts }
    guard number >= firstComputed, case .zone(let zone, _) = computed[number - firstComputed].source,
      case .circle = zone.shape
    else { return 0 }
    let cheapest = manifests.filter { $0.publishesPositions(self) }
      .map { $0.readingEnergy(within: Manifest.probeTimeout) }.min()
    let seconds = Int128(Manifest.probeRetry.nanoseconds / 1_000_000_000)
    return cheapest.map { Int64(clamping: $0.nanojoules / seconds) } ?? 0
  }
}
