import StintModel

/// Finds conditions that read `respite` of a device that no policy uses.
///
/// A policy uses a device when a directive, a `fix` or a `flush` contains the device or another member of its
/// ladder.
///
/// `respite` describes the last delivered position. A condition on `respite` does not start the device: a new
/// position would change the value that the condition tests. So the value is unknown until a client uses the
/// device.
struct UnusedPositionDevices {
  let vocabulary: Vocabulary
  let policies: [CheckedPolicy]

  func findings() -> [Finding] {
    let rules = policies.flatMap(\.rules).filter { !$0.isInert }
    let used = rules.reduce(into: Set<DeviceID>()) { $0.formUnion(Self.devices(of: $1)) }
    var seen: Set<String> = []
    return policies.flatMap { policy in
      policy.rules.filter { !$0.isInert }.flatMap(\.readConditions).flatMap { condition in
        reads(of: condition).filter { seen.insert($0.path).inserted && !isUsed($0.device, used) }
          .map { finding($0.device, $0.span, policy) }
      }
    }
  }

  /// Returns the devices that the directives, `fix` and `flush` of a rule name.
  private static func devices(of rule: CheckedRule) -> Set<DeviceID> {
    var devices = Set(rule.directives.flatMap(\.directive.targets))
    for act in rule.acts {
      switch act {
      case .fix(let device, _, _): devices.insert(device)
      case .flush(let flushed): devices.formUnion(flushed)
      case .emit, .tell, .launch, .violation: break
      }
    }
    return devices
  }

  /// Returns whether the policies use the device or another member of its ladder.
  private func isUsed(_ device: DeviceID, _ used: Set<DeviceID>) -> Bool {
    guard let ladder = vocabulary.manifest(device)?.ladder?.name else { return used.contains(device) }
    return used.contains(device) || used.contains { vocabulary.manifest($0)?.ladder?.name == ladder }
  }

  private func reads(
    of condition: CheckedExpression
  ) -> [(path: String, device: DeviceID, span: SourceSpan)] {
    var found: [(path: String, device: DeviceID, span: SourceSpan)] = []
    condition.visit { part in
      guard case .fact(let path) = part.kind,
        case .respite(let device, _)? = vocabulary.computed.first(where: { $0.schema.path == path })?.source
      else { return }
      found.append((path, device, part.span))
    }
    return found
  }

  private func finding(_ device: DeviceID, _ span: SourceSpan, _ policy: CheckedPolicy) -> Finding {
    let name = policy.name(of: device)
    return Finding(
      Diagnostic(
        .validityOnly, "“respite” does not turn \(device) on", severity: .note, file: policy.file,
        labels: [Diagnostic.Label(span: span, text: "unknown until a client uses \(device)")],
        hint: "request a position, as in: fix \(name) to 50 m timeout 1 min; or read spread(\(name), 10 min)")
    )
  }
}
