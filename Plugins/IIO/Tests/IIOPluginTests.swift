import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintIIO

@Suite("iio: the plugin with files in place of sysfs and a pipe in place of the device node")
struct IIOPluginTests {
  private func on(_ period: TimeSpan, isHolding: Bool = false) -> Setting {
    Setting(isOn: true, period: period, isHolding: isHolding)
  }

  /// Encodes a scan: three numbers of 12 bits in 16, then the timestamp.
  private func scan(_ x: Int16, _ y: Int16, _ z: Int16, at time: Int64) -> [UInt8] {
    let axes = [x, y, z].flatMap { value in
      let word = UInt16(bitPattern: value << 4)
      return [UInt8(word & 0xFF), UInt8(word >> 8)]
    }
    return axes + [0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
  }

  @Test("no file is written before the device is turned on, and a setting that is off writes no file")
  func quiet() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(.off)
    #expect(stage.states(stage.heard()) == ["off"])
    #expect(chip.text("sampling_frequency") == "10.000000")
    #expect(chip.text("scan_elements/in_accel_x_en") == "0")
    #expect(stage.listener.port.alarm == nil)
    await stage.close()
  }

  @Test("fast sampling sets rate, axes, watermark and buffer before `apply` returns; off disables the buffer")
  func streaming() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(20)))
    #expect(stage.states(stage.heard()) == ["sampling 20 ms"])
    #expect(chip.text("sampling_frequency") == "50")
    #expect(chip.text("buffer/watermark") == "50")
    #expect(chip.text("buffer/length") == "100")
    #expect(chip.text("buffer/enable") == "1")
    for name in ["accel_x", "accel_y", "accel_z", "timestamp"] {
      #expect(chip.text("scan_elements/in_\(name)_en") == "1")
    }
    try chip.push(scan(100, -200, 980, at: 1_000_000_000) + scan(101, -201, 981, at: 1_020_000_000))
    let events = try stage.listener.receive(until: IIOStage.isBatch)
    let samples = stage.samples(events)
    #expect(samples.map(\.sequence) == [0, 1])
    #expect(samples.map { ($0.first * 100).rounded() } == [100, 101])
    #expect(samples.map { ($0.second * 100).rounded() } == [-200, -201])
    #expect(samples[1].instant - samples[0].instant == .milliseconds(20))
    try await stage.apply(.off)
    #expect(chip.text("buffer/enable") == "0")
    #expect(stage.states(stage.heard()) == ["off"])
    await stage.close()
  }

  @Test("a scan that arrives in two parts is one sample")
  func pieces() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(100)))
    let bytes = scan(1, 2, 3, at: 5) + scan(4, 5, 6, at: 100_000_005)
    try chip.push(Array(bytes[..<23]))
    let first = try stage.listener.receive(until: IIOStage.isBatch)
    try chip.push(Array(bytes[23...]))
    let second = try stage.listener.receive(until: IIOStage.isBatch)
    #expect(stage.samples(first).map(\.first) == [0.01])
    #expect(stage.samples(second).map(\.first) == [0.04])
    await stage.close()
  }

  @Test("the actual rate is reported; a changed rate restarts the buffer, an equal rate does not")
  func rates() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(30)))
    #expect(chip.text("sampling_frequency") == "50")
    try await stage.apply(on(.milliseconds(30)))
    try await stage.apply(on(.milliseconds(5)))
    #expect(chip.text("sampling_frequency") == "100")
    try await stage.apply(on(.seconds(1)))
    #expect(chip.text("sampling_frequency") == "10")
    #expect(
      stage.states(stage.heard()) == [
        "sampling 20 ms", "sampling 20 ms", "sampling 10 ms", "sampling 100 ms",
      ])
    #expect(chip.text("buffer/enable") == "1")
    await stage.close()
    #expect(chip.text("buffer/enable") == "0")
  }

  @Test("while samples are held, the watermark covers the held latency; nothing is delivered before a drain")
  func holding() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree) { $0.heldLatency = .seconds(4) }
    try await stage.apply(on(.milliseconds(100), isHolding: true))
    #expect(chip.text("buffer/watermark") == "40")
    try chip.push((0..<40).flatMap { scan(Int16($0), 0, 980, at: Int64($0) * 100_000_000) })
    // The fact is published as soon as the samples are read, even while they are held.
    let seen = try stage.listener.receive { if case .fact = $0 { true } else { false } }
    #expect(!seen.contains(where: IIOStage.isBatch))
    await stage.plugin.drain(at: stage.clock.now, reason: .flushed)
    let drained = stage.heard()
    #expect(stage.samples(drained).count == 40)
    guard case .batch(let batch, _)? = drained.first else { return }
    #expect(batch.reason == .flushed)
    await stage.close()
  }

  @Test("a full sample buffer is delivered at once, even while the setting holds deliveries")
  func full() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(10), isHolding: true))
    for part in 0..<2 {
      try chip.push((0..<2000).flatMap { scan(0, 0, 980, at: Int64(part * 2000 + $0) * 10_000_000) })
    }
    let events = try stage.listener.receive(until: IIOStage.isBatch)
    guard case .batch(let batch, _)? = events.first(where: IIOStage.isBatch) else { return }
    #expect(batch.reason == .full)
    #expect(batch.samples.count == 3000)
    await stage.close()
  }

  @Test("step-like acceleration is classified as walking; constant acceleration is classified as still")
  func activity() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(100)))
    try chip.push((0..<40).flatMap { scan(0, 0, 980, at: Int64($0) * 100_000_000) })
    let isFact = { (event: PortEvent) in if case .fact = event { true } else { false } }
    let still = try stage.listener.receive(until: isFact)
    #expect(still.contains { if case .fact(0, .symbol(0), _) = $0 { true } else { false } })
    try chip.push(
      (0..<60).flatMap { scan(0, 0, $0 % 4 < 2 ? 700 : 1260, at: Int64($0 + 40) * 100_000_000) })
    let walking = try stage.listener.receive(until: isFact)
    #expect(walking.contains { if case .fact(0, .symbol(1), _) = $0 { true } else { false } })
    await stage.close()
  }

  @Test("slow sampling reads the files at each period and uses no buffer")
  func single() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.seconds(10)))
    let first = stage.heard()
    #expect(stage.states(first) == ["single 10 s"])
    #expect(stage.samples(first).map { [$0.first, $0.second, $0.third] } == [[0.1, -0.2, 9.8]])
    #expect(chip.text("buffer/enable") == "0")
    try chip.set("in_accel_x_raw", "30")
    let before = stage.clock.now
    try await stage.wake()
    #expect(stage.clock.now - before > .seconds(9))
    #expect(stage.samples(stage.heard()).map(\.first) == [0.3])
    try await stage.apply(.off)
    #expect(stage.listener.port.alarm == nil)
    await stage.close()
  }

  @Test("after a device is turned off, its state is “released” for the autosuspend delay, and then “off”")
  func released() async throws {
    let chip = try SensorTree()
    try chip.tree.set("sys/bus/iio/devices/power/autosuspend_delay_ms", "3000")
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(100)))
    try await stage.apply(.off)
    #expect(stage.states(stage.heard()) == ["sampling 100 ms", "released"])
    try await stage.wake()
    #expect(stage.states(stage.heard()) == ["off"])
    await stage.close()
  }

  @Test("when the node closes, a fault is reported; the device is unavailable until it is found again")
  func vanishing() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.milliseconds(100)))
    try chip.push((0..<40).flatMap { scan(0, 0, 980, at: Int64($0) * 100_000_000) })
    _ = try stage.listener.receive(until: IIOStage.isBatch)
    chip.tree.remove("sys/bus")
    chip.hangUp()
    let events = try stage.listener.receive(until: IIOStage.isGone)
    #expect(
      stage.faults(events).contains { $0.contains("/dev/iio:device0 has") && $0.contains("next in 1 s") })
    #expect(events.contains { if case .fact(0, .unknown, _) = $0 { true } else { false } })
    #expect(stage.states(events).last == "off")
    try await stage.wake()
    #expect(stage.heard().isEmpty, "the missing device is not reported again")
    let again = try SensorTree()
    try chip.tree.link("sys/bus/iio/devices/iio:device0", to: "\(again.tree.root)/\(SensorTree.folder)")
    try await stage.wake()
    let back = stage.heard()
    #expect(back.contains { if case .available(true, _) = $0 { true } else { false } })
    #expect(stage.states(back) == ["sampling 100 ms"], "the setting is still in force")
    await stage.close()
    #expect(again.text("buffer/enable") == "0")
  }

  @Test("a device that is removed between two single reads is reported at the next read")
  func vanishingSingly() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    try await stage.apply(on(.seconds(10)))
    chip.tree.remove("sys/bus")
    try await stage.wake()
    let events = stage.heard()
    #expect(stage.faults(events).contains { $0.contains("in_accel_x_raw: No such file or directory") })
    #expect(events.contains(where: IIOStage.isGone))
    await stage.close()
  }

  @Test("after turning on and off a hundred times, the buffer is off and no reader has the node open")
  func oftenOnAndOff() async throws {
    let chip = try SensorTree()
    let stage = try await IIOStage(chip.tree)
    for _ in 0..<100 {
      try await stage.apply(on(.milliseconds(20)))
      #expect(chip.text("buffer/enable") == "1")
      try await stage.apply(.off)
      #expect(chip.text("buffer/enable") == "0")
    }
    await stage.close()
    // A thread that waits for the node closes the node only after the thread was woken.
    var tries = 100_000
    while tries > 0 {
      do { DescriptorCalls.close(try chip.tree.openPipe("dev/iio:device0")) } catch { break }
      tries -= 1
      await Task.yield()
    }
    #expect(tries > 0, "no reader has the node open")
  }
}
