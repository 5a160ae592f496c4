import StintModel
import StintPluginKit
import StintUnits

/// Turning the device on and off, and handling its removal and return.
extension IIOSensor {
  mutating func turnOn(at now: Instant) {
    guard let device else {
      report(at: now)
      return
    }
    let period = setting.period ?? .seconds(1)
    let latency = setting.isHolding ? settings.heldLatency : settings.latency
    if period < settings.slow, device.hasBuffer {
      if let stream, stream.wanted == (period, latency) {
        report(at: now)
        return
      }
      if startStream(device, every: period, latency: latency, at: now) { return }
      guard self.device != nil else { return }
    }
    readSingly(every: max(period, Self.shortestSingle), at: now)
  }

  /// Starts a buffer in place of the current mode. Returns false when this fails; `device` is then nil if the
  /// device was removed.
  private mutating func startStream(
    _ device: IIODevice, every period: TimeSpan, latency: TimeSpan, at now: Instant
  ) -> Bool {
    closeStream()
    var notes: [String] = []
    do throws(IIOFault) {
      var started = try device.startStream(every: period, latency: latency, trigger: settings.trigger) {
        notes.append($0)
      }
      streams += 1
      started.number = streams
      mode = .stream(started)
      motion?.begin(period: started.period, at: now)
      note(notes.joined(separator: "; "), at: now)
      report(at: now)
      return true
    } catch {
      if isGone(device) {
        lose(error.sentence, at: now)
      } else {
        note("\(error.sentence); its samples are read one by one", at: now)
      }
      return false
    }
  }

  private mutating func readSingly(every period: TimeSpan, at now: Instant) {
    guard let device else { return }
    if stream != nil {
      closeStream()
      do throws(IIOFault) { try device.stopStream() } catch { reportFault(error.sentence, at: now) }
    }
    if case .single(period, _) = mode {
      report(at: now)
      return
    }
    motion?.begin(period: period, at: now)
    mode = .single(period: period, next: now + period)
    report(at: now)
    readOnce(at: now)
  }

  mutating func turnOff(at now: Instant) {
    deliver(at: now, reason: .ended)
    motion?.end()
    guard let device else {
      mode = .off
      report(at: now)
      return
    }
    switch mode {
    case .off, .released:
      report(at: now)
      return
    case .single: break
    case .stream, .stuck:
      closeStream()
      do throws(IIOFault) {
        try device.stopStream()
        retry.succeeded()
      } catch {
        if isGone(device) {
          lose(error.sentence, at: now)
          return
        }
        // The device may still draw power, so it is not reported as off.
        let wait = retry.failed()
        reportFault("it cannot be turned off: \(error.sentence); next attempt in \(wait)", at: now)
        mode = .stuck(until: now + wait)
        report(at: now)
        return
      }
    }
    mode = device.release > .zero ? .released(until: now + device.release) : .off
    report(at: now)
  }

  /// Searches for the device. When the device is found, continues with the current setting.
  mutating func findDevice(at now: Instant) {
    let wasMissing = retryAt != nil
    retryAt = nil
    do throws(IIOFault) {
      let found = try IIODevice.find(settings)
      device = found
      retry.succeeded()
      lastNote = ""
      if found.isLeftOn {
        reportFault("its buffer was left on by another program; it is turned off", at: now)
        try found.stopStream()
      }
      if wasMissing { port.available(true, at: now) }
      if setting.isOn { turnOn(at: now) }
    } catch {
      device = nil
      let wait = retry.failed()
      retryAt = now + wait
      guard !wasMissing else { return }
      reportFault("\(error.sentence); searching again, next in \(wait)", at: now)
      port.available(false, at: now)
    }
  }

  /// Handles a device that failed or was removed during use.
  mutating func lose(_ reason: String, at now: Instant) {
    deliver(at: now, reason: .ended)
    motion?.forget(at: now)
    let device = device
    closeStream()
    // Only a device that is still present must be turned off.
    if let device, !isGone(device) {
      do throws(IIOFault) { try device.stopStream() } catch { reportFault(error.sentence, at: now) }
    }
    self.device = nil
    mode = .off
    let wait = retry.failed()
    retryAt = moved(to: now) + wait
    reportFault("\(reason); searching again, next in \(wait)", at: moved(to: now))
    report(at: now)
    setAlarm()
    port.available(false, at: moved(to: now))
  }

  func isGone(_ device: IIODevice) -> Bool { device.folder.names.isEmpty }

  /// Closes the node and marks the buffer as possibly still on. The caller then turns the buffer off.
  private mutating func closeStream() {
    guard let stream else { return }
    DescriptorCalls.close(stream.descriptor)
    mode = .stuck(until: .distantFuture)
  }

  /// Reports a deviation from the request. Does not repeat the last reported deviation.
  private mutating func note(_ sentence: String, at now: Instant) {
    guard sentence != lastNote else { return }
    lastNote = sentence
    if !sentence.isEmpty { reportFault(sentence, at: now) }
  }
}
