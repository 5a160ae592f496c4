import StintModel
import StintPluginKit
import StintUnits

extension IIOSensor {
  /// Reads the files of the axes once.
  mutating func readOnce(at now: Instant) {
    guard let device else { return }
    do throws(IIOFault) {
      take(try device.read(), at: now)
      deliverSamples(at: now)
      let after = moved(to: now)
      motion?.publishActivity(at: after)
    } catch {
      if isGone(device) {
        lose(error.sentence, at: now)
      } else if badReadings.shouldReport() {
        let count = badReadings.count == 1 ? "" : " (\(badReadings.count) such readings)"
        reportFault("\(error.sentence); skipped\(count)", at: now)
      }
    }
  }

  /// Reads the scans that wait in the buffer of the device. `buffer` is memory for the bytes, reused for each
  /// call. `isBroken` is true when the device was removed.
  mutating func serve(isBroken: Bool, _ buffer: inout [UInt8], at instant: Instant) {
    guard var stream, let device else { return }
    let now = moved(to: instant)
    var scans: [IIOScanLayout.Scan] = []
    var end: String?
    reading: while end == nil {
      switch DescriptorCalls.read(stream.descriptor, into: &buffer) {
      case .some(0):
        if isBroken { end = "\(device.node) has been removed" }
        break reading
      case .some(let count):
        scans += stream.take(buffer[..<count])
        if count < buffer.count, !isBroken { break reading }
      case .ended: end = "\(device.node) has ended"
      case .failed(let number): end = "\(device.node): \(DescriptorCalls.reason(number))"
      }
    }
    mode = .stream(stream)
    let instants = IIOTimes.instants(of: scans, period: stream.period, at: now)
    for (scan, instant) in zip(scans, instants) { take(device.values(of: scan.axes), at: instant, now: now) }
    deliverSamples(at: now)
    let after = moved(to: now)
    motion?.publishActivity(at: after)
    if let end { lose(end, at: after) }
    setAlarm()
  }

  private mutating func take(_ values: SIMD3<Double>, at instant: Instant, now: Instant? = nil) {
    log.append(at: instant, values)
    motion?.add(values)
    if log.isFull { deliver(at: now ?? instant, reason: .full) }
  }

  private mutating func deliverSamples(at now: Instant) {
    if !setting.isHolding { deliver(at: now, reason: .immediate) }
  }
}
