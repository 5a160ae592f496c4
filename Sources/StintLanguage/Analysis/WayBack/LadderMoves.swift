import StintModel

/// Finds the devices that turn off when a `downgrade` limits the accuracy of the demands on a device.
struct LadderMoves {
  /// The effect of a `downgrade` on the demands on one device: a cheaper device of its ladder serves them.
  struct Move {
    /// The device that then serves the demands.
    let substitute: Manifest
    /// The devices that turn off: the device of the directive, and devices between it and the substitute in
    /// the ladder.
    let off: [Manifest]
  }

  private let vocabulary: Vocabulary
  /// The devices in directives and acts of any rule. Such a device can have demands of its own, so it may
  /// remain on when the demands on another device no longer use it.
  private let targeted: Set<DeviceID>

  init(_ policies: [CheckedPolicy], vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    targeted = Set(
      policies.flatMap(\.rules).filter { !$0.isInert }
        .flatMap { rule in rule.directives.flatMap(\.directive.targets) + rule.acts.flatMap(\.targets) })
  }

  /// Returns the effect of a directive on the demands on one of its devices. Nil when the device itself
  /// continues to serve these demands.
  func move(by directive: Directive, of target: DeviceID) -> Move? {
    guard case .limitAccuracy(let metres) = directive.action, let manifest = vocabulary.manifest(target),
      let own = manifest.ladder
    else { return nil }
    let lower = vocabulary.manifests.filter { other in
      other.ladder.map { $0.name == own.name && $0.rank < own.rank } ?? false
    }
    func rank(_ manifest: Manifest) -> Int { manifest.ladder?.rank ?? 0 }
    guard
      let other = lower.filter({ $0.ladder?.serves.map { $0 <= metres } ?? true })
        .min(by: { rank($0) < rank($1) })
    else { return nil }
    let between = lower.filter { rank($0) > rank(other) && !targeted.contains($0.device) }
    return Move(substitute: other, off: [manifest] + between)
  }
}
