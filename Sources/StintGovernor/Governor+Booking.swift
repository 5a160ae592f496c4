public import StintModel
public import StintUnits

extension Governor {
  /// The ledger as it would stand if every open interval ended at `instant`.
  public func ledger(at instant: Instant) -> Ledger {
    var copy = self
    copy.now = max(instant, now)
    for number in copy.devices.indices { copy.closeInterval(number) }
    return copy.book
  }

  /// The time that devices have been on without a complete cause, open intervals included.
  public func unexplained(at instant: Instant) -> TimeSpan {
    var copy = self
    copy.now = max(instant, now)
    for number in copy.devices.indices { copy.closeInterval(number) }
    return copy.unexplained
  }

  /// Books the interval since the device's last change: state, duration, nanojoules, cause.
  mutating func closeInterval(_ device: Int) {
    let record = devices[device]
    let span = now - record.since
    guard span.nanoseconds > 0 else { return }
    let (energy, remainder) = record.power.energy(over: span, carrying: record.remainder)
    devices[device].since = now
    devices[device].remainder = remainder
    let cause = record.isOn ? record.cause : nil
    if record.isOn, cause?.isComplete != true {
      unexplained += span
      devices[device].unexplained += span
    }
    book.book(energy, device: record.manifest.device, cause: cause)
  }

  /// Books something that a device did at a fixed price.
  mutating func bookEvent(_ device: Int, _ event: PricedEvent, count: Int) {
    let isWake = device == processor
    let cause = isWake ? rouseCause : devices[device].cause
    book.book(event.energy * Int64(count), device: devices[device].manifest.device, cause: cause)
    guard isWake else { return }
    wakes = wakes.addingSaturated(count)
    for source in rousedDevices {
      let device = vocabulary.manifests[source].device
      wakesByDevice[device] = (wakesByDevice[device] ?? 0).addingSaturated(count)
    }
  }

  /// Notes that these need the processor for a moment in this step.
  mutating func rouse(for links: [Cause.Link], device: Int) {
    guard processor != nil, !links.isEmpty else { return }
    for link in links where !rousing.contains(where: { $0.demand == link.demand }) { rousing.append(link) }
    if !rousingDevices.contains(device) { rousingDevices.append(device) }
  }

  /// Wakes the processor once for all that needed it in this step, unless it is awake anyway.
  mutating func rouseProcessor() {
    guard let processor, !rousing.isEmpty else { return }
    if !devices[processor].setting.isOn {
      rouseCause = Cause(
        device: devices[processor].manifest.device, links: rousing.sorted { $0.demand < $1.demand },
        setting: Setting(isOn: true))
      rousedDevices = rousingDevices
      effects.append(.rouse(device: processor))
      rideAlong(with: rouseCause)
    }
    rousing.removeAll(keepingCapacity: true)
    rousingDevices.removeAll(keepingCapacity: true)
  }

  func link(of record: DemandRecord) -> Cause.Link {
    Cause.Link(
      client: record.demand.client, demand: record.demand.id, rules: record.grant.rules, grant: record.grant,
      service: record.demand.service?.word)
  }
}
