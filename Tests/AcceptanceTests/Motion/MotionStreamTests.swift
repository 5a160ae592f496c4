import StintModel
import StintServices
import StintUnits
import Testing

/// Streams of motion samples, each with its own start, stop and interval.
@Suite(.checkedPhones) struct MotionStreamTests {
  private typealias Lab = MotionLaboratory

  @Test(
    "M07: each kind of motion stream, started alone, powers exactly the devices that it needs",
    arguments: [
      (MotionKind.acceleration, [Lab.accelerometer]), (.rotation, [Lab.gyroscope]),
      (.magneticField, [Lab.magnetometer]),
      (.deviceMotion, [Lab.accelerometer, Lab.fusion, Lab.gyroscope]),
    ])
  func parts(kind: MotionKind, parts: [DeviceID]) async throws {
    let phone = try await Lab.phone()
    await phone.ask("app", "move", MotionRequest(kind, interval: .milliseconds(100)))
    await phone.run(until: 10)
    var on: [DeviceID] = []
    for part in Lab.parts where await phone.isOn(part) { on.append(part) }
    #expect(on.sorted() == parts)
    #expect(phone.samples("app", "move").count == 100)
    await phone.end("app", "move")
    for part in Lab.parts { #expect(await !phone.isOn(part)) }
    await phone.expectInvariants()
  }

  @Test("M07 M15: without a gyroscope, fused motion is unavailable, and nothing is powered")
  func fusedWithoutGyroscope() async throws {
    let phone = try await Lab.phone([Lab.accelerometer, Lab.fusion])
    await phone.ask("app", "move", MotionRequest(.deviceMotion, interval: .milliseconds(100)))
    await phone.run(until: 10)
    let failures = phone.notices(ServiceFailure.self, for: "app")
    #expect(failures.map(\.notice.code) == [.unavailable])
    #expect(failures.first?.notice.sentence.contains("motion.gyro") == true)
    #expect(phone.states(of: Lab.accelerometer).isEmpty)
    #expect(phone.states(of: Lab.fusion).isEmpty)
  }

  @Test("M08: in mode pull, nothing is pushed; a sample that the client reads is at most one interval old")
  func pull() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "move", MotionRequest(.acceleration, .pull, interval: .milliseconds(100)))
    await phone.command("app", "move", MotionCommand.read)
    for read in 1...6 {
      await phone.run(until: Double(read) * 600 - 0.05)
      await phone.command("app", "move", MotionCommand.read)
    }
    await phone.run(until: 3600)
    #expect(phone.samples("app", "move").isEmpty)
    let answers = phone.latest("app", "move")
    #expect(answers.count == 7)
    #expect(answers.first?.sample == nil)
    for answer in answers.dropFirst() {
      let sample = try #require(answer.sample)
      let age = answer.second - (sample.instant - Phone.start).seconds
      #expect(age >= 0 && age <= 0.1)
      #expect(!answer.isStale)
    }
    // Unread samples cause no wake-up: the device drops them when its queue is full, and each read is one
    // wake-up.
    let processor = (await phone.ledger()).byDevice["host.processor", default: .zero]
    #expect(processor.nanojoules < 3600 * 3_000_000 + 10 * 30_000_000)
    await phone.command("app", "move", MotionCommand.stop)
    #expect(await !phone.isOn(Lab.accelerometer))
    await phone.command("app", "move", MotionCommand.read)
    let last = try #require(phone.latest("app", "move").last)
    #expect(last.isStale && last.sample != nil)
    await phone.expectInvariants()
  }

  @Test("M09: a minute at 50 Hz gives 3,000 samples, each 20 ms after the previous sample")
  func push() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(20)))
    await phone.run(until: 60)
    let samples = phone.samples("app", "move")
    #expect(abs(samples.count - 3000) <= 1)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.instant - $0.instant == .milliseconds(20) })
  }

  @Test("M09: a client that is slower than its stream gets the newest sample when the client is ready")
  func slowReceiver() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask(
      "app", "move", MotionRequest(.acceleration, interval: .milliseconds(20), backlog: .newest))
    for second in 1...10 {
      await phone.run(until: Double(second))
      await phone.command("app", "move", MotionCommand.handled)
    }
    let seconds = phone.samples("app", "move").map { ($0.instant - Phone.start).seconds }
    #expect(seconds == (1...10).map(Double.init))
  }

  @Test(
    "M10: for intervals of 10 ms to 10 s, no sample is missing, and each longer interval costs less energy")
  func intervals() async throws {
    var last: Energy?
    for milliseconds in [10, 20, 50, 100, 300, 1000, 3000, 10_000] as [Int64] {
      let phone = try await Lab.phone([Lab.accelerometer])
      await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(milliseconds)))
      await phone.run(until: 60)
      let count = Double(phone.samples("app", "move").count)
      #expect(abs(count - 60_000 / Double(milliseconds)) <= 1, "\(milliseconds) ms")
      let energy = (await phone.ledger()).total
      if let last { #expect(energy < last, "\(milliseconds) ms") }
      last = energy
    }
  }

  @Test(
    "M10: an unsupported interval is lengthened with a notice; a new interval applies from the next sample")
  func clamped() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(1)))
    await phone.run(until: 10)
    #expect(
      phone.notices(MotionNotice.self, for: "app").first?.notice
        == .interval(asked: .milliseconds(1), given: .milliseconds(10)))
    #expect(phone.samples("app", "move").count == 1000)
    await phone.command("app", "move", MotionCommand.interval(.milliseconds(100)))
    await phone.run(until: 20)
    #expect(phone.samples("app", "move").count == 1100)
    #expect(phone.powerUps(of: Lab.accelerometer) == 1)
    await phone.command("app", "move", MotionCommand.interval(.zero))
    #expect(phone.observer.everything.refusals.map(\.text) == ["app/move invalid"])
  }

  @Test("M11: acceleration limited to 50 Hz and rotation limited to 5 Hz each deliver at their own rate")
  func ownIntervals() async throws {
    let phone = try await Lab.phone(
      policy: """
        use motion.accelerometer as accel
        use motion.gyro as gyro
        rule r always { downgrade accel to 50 Hz downgrade gyro to 5 Hz }
        """)
    await phone.ask("app", "a", MotionRequest(.acceleration, interval: .milliseconds(10)))
    await phone.ask("app", "g", MotionRequest(.rotation, interval: .milliseconds(10)))
    await phone.run(until: 60)
    #expect(phone.samples("app", "a").count == 3000)
    #expect(phone.samples("app", "g").count == 300)
  }

  @Test("M12: fused motion powers three devices, and its client pays for all of them")
  func fused() async throws {
    let phone = try await Lab.phone(clients: ["game"])
    await phone.ask("game", "move", MotionRequest(.deviceMotion, interval: .milliseconds(20)))
    await phone.run(until: 10)
    let ledger = await phone.ledger()
    #expect(ledger.byDevice[Lab.accelerometer] == Energy(nanojoules: 10 * 500_000))
    #expect(ledger.byDevice[Lab.gyroscope] == Energy(nanojoules: 10 * 3_000_000))
    #expect(ledger.byDevice[Lab.fusion] == Energy(nanojoules: 10 * 5_000_000))
    let parts = Lab.parts.reduce(Energy.zero) { $0 + ledger.byDevice[$1, default: .zero] }
    #expect(ledger.byClient["game", default: .zero] >= parts)
    await phone.expectInvariants()
  }

  @Test(
    "M12: a rule that starts fused motion for a client also starts its inputs; after the rule, all are off")
  func fusedByRule() async throws {
    let phone = try await Lab.phone(
      policy: """
        use motion.fused as fused
        rule play while known(game.on) and game.on { start fused for "game" with { rate 50 Hz } }
        """,
      declares: [FactSchema(path: "game.on", type: .boolean)],
      facts: [(10, "game.on", "true"), (20, "game.on", "false")])
    await phone.run(until: 15)
    let on = await [phone.isOn(Lab.accelerometer), phone.isOn(Lab.gyroscope), phone.isOn(Lab.fusion)]
    #expect(on == [true, true, true])
    #expect(await !phone.isOn(Lab.magnetometer))
    await phone.run(until: 30)
    for part in Lab.parts { #expect(await !phone.isOn(part)) }
    let ledger = await phone.ledger()
    #expect(ledger.byDevice[Lab.accelerometer] == Energy(nanojoules: 10 * 500_000))
    #expect(ledger.byDevice[Lab.gyroscope] == Energy(nanojoules: 10 * 3_000_000))
    #expect(ledger.byDevice[Lab.fusion] == Energy(nanojoules: 10 * 5_000_000))
    #expect(ledger.byClient["game", default: .zero] >= Energy(nanojoules: 10 * 8_500_000))
    await phone.expectInvariants()
  }

  @Test(
    "M12: the loss of an input ends fused motion and names the input; raw streams of other inputs continue")
  func lostInput() async throws {
    let phone = try await Lab.phone()
    await phone.ask("app", "raw", MotionRequest(.acceleration, interval: .milliseconds(100)))
    await phone.ask("app", "move", MotionRequest(.deviceMotion, interval: .milliseconds(20)))
    await phone.run(until: 10)
    await phone.serve(.device(Lab.gyroscope, .available(false)))
    await phone.run(until: 20)
    let failures = phone.notices(ServiceFailure.self, for: "app")
    #expect(failures.map(\.notice.code) == [.failed])
    #expect(failures.first?.notice.sentence.contains("motion.gyro") == true)
    #expect(await !phone.isOn(Lab.fusion))
    #expect(await !phone.isOn(Lab.gyroscope))
    #expect(await phone.isOn(Lab.accelerometer))
    #expect(phone.samples("app", "raw").count == 200)
  }

  @Test(
    "M13: a stream stops with its consumer; a stream that outlives its consumer causes a warning")
  func leaks() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(100)))
    await phone.run(until: 10)
    await phone.command("app", "move", MotionCommand.receiverGone)
    #expect(await !phone.isOn(Lab.accelerometer))
    let lasting = MotionRequest(.acceleration, interval: .milliseconds(100), outlivesReceiver: true)
    await phone.ask("app", "move", lasting)
    await phone.run(until: 20)
    await phone.command("app", "move", MotionCommand.receiverGone)
    await phone.run(until: 200)
    #expect(await phone.isOn(Lab.accelerometer))
    #expect(phone.motionWarnings("app", "move") == ["W-LEAK 80.0"])
    #expect(phone.samples("app", "move").count == 200)
    await phone.end("app", "move")
    #expect(await !phone.isOn(Lab.accelerometer))
  }

  @Test(
    "M14: stopping acceleration ends its samples; fused motion alone then pays for the accelerometer")
  func stopOne() async throws {
    let phone = try await Lab.phone(clients: ["graph", "game"])
    await phone.ask("game", "move", MotionRequest(.deviceMotion, interval: .milliseconds(20)))
    await phone.ask("graph", "a", MotionRequest(.acceleration, interval: .milliseconds(20)))
    await phone.run(until: 10)
    await phone.end("graph", "a")
    let count = phone.samples("graph", "a").count
    let before = await phone.ledger()
    await phone.run(until: 20)
    #expect(phone.samples("graph", "a").count == count)
    #expect(await phone.isOn(Lab.accelerometer))
    let after = await phone.ledger()
    #expect(after.byClient["graph"] == before.byClient["graph"])
    // The two clients shared the cost of the first ten seconds of the accelerometer. The game pays for the
    // next ten seconds alone.
    func part(_ ledger: Ledger, _ client: ClientID) -> Energy { ledger.byClient[client, default: .zero] }
    func all(_ ledger: Ledger) -> Energy {
      Lab.parts.reduce(.zero) { $0 + ledger.byDevice[$1, default: .zero] }
    }
    let parts = all(after) - all(before)
    #expect(parts == Energy(nanojoules: 10 * 8_500_000))
    #expect(part(after, "game") - part(before, "game") >= parts)
    #expect(part(before, "graph") >= Energy(nanojoules: 10 * 250_000))
    #expect(phone.powerUps(of: Lab.accelerometer) == 1)
    await phone.expectInvariants()
  }

  @Test(
    "M18: a request for mode pull under the name of a push stream ends the pushes without a power cycle")
  func changeMode() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(100)))
    await phone.run(until: 10)
    // A second start has no effect.
    await phone.ask("app", "move", MotionRequest(.acceleration, interval: .milliseconds(100)))
    await phone.run(until: 20)
    #expect(phone.samples("app", "move").count == 200)
    await phone.ask("app", "move", MotionRequest(.acceleration, .pull, interval: .milliseconds(100)))
    await phone.run(until: 30)
    #expect(phone.samples("app", "move").count == 200)
    await phone.command("app", "move", MotionCommand.read)
    #expect(phone.latest("app", "move").last?.sample != nil)
    #expect(phone.powerUps(of: Lab.accelerometer) == 1)
    #expect(phone.observer.everything.refusals.isEmpty)
    await phone.expectInvariants()
  }
}
