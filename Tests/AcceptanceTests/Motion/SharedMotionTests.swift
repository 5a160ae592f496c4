import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Several clients on one device, and the availability of devices.
@Suite(.checkedPhones) struct SharedMotionTests {
  private typealias Lab = MotionLaboratory

  private func request(_ hertz: Double, latency: TimeSpan = .zero) -> MotionRequest {
    MotionRequest(.acceleration, .push(latency: latency.duration), interval: .seconds(1 / hertz))
  }

  @Test(
    "M16: streams of 50 and 30 Hz on one device get all samples; each 30 Hz sample is at most 20 ms late")
  func twoRates() async throws {
    let phone = try await Lab.phone([Lab.accelerometer], clients: ["fast", "slow"])
    await phone.ask("fast", "a", request(50))
    await phone.ask("slow", "a", request(30))
    await phone.run(until: 60)
    #expect(abs(phone.samples("fast", "a").count - 3000) <= 1)
    let slow = phone.samples("slow", "a")
    #expect(abs(slow.count - 1800) <= 1)
    let first = try #require(slow.first).instant
    for (number, sample) in slow.enumerated() {
      let ideal = first + .of(seconds: Double(number) / 30)
      #expect(sample.instant >= ideal - .milliseconds(1))
      #expect(sample.instant - ideal <= .of(seconds: 0.020_001), "sample \(number)")
    }
    let before = phone.states(of: Lab.accelerometer).count
    await phone.end("fast", "a")
    await phone.run(until: 120)
    #expect(phone.states(of: Lab.accelerometer).count == before + 1)
    #expect(abs(phone.samples("slow", "a").count - 3600) <= 2)
    let power = (await phone.ledger()).byDevice[Lab.accelerometer, default: .zero].nanojoules
    // The energy of a minute at 50 Hz and of a minute at 30 Hz.
    #expect(abs(power - 60 * (500_000 + 320_000)) <= 60 * 10)
    await phone.expectInvariants()
  }

  @Test("M16: the shortest latency sets the times of deliveries; each client gets all its samples")
  func latencies() async throws {
    let phone = try await Lab.phone([Lab.accelerometer], clients: ["soon", "late"])
    await phone.ask("late", "a", request(10, latency: .seconds(20)))
    await phone.run(until: 60)
    #expect(phone.notices(MotionNotice.self, for: "late").map(\.second) == [20, 40, 60])
    await phone.ask("soon", "a", request(10, latency: .seconds(5)))
    await phone.run(until: 80)
    #expect(phone.notices(MotionNotice.self, for: "soon").map(\.second) == [65, 70, 75, 80])
    #expect(phone.samples("late", "a").count == 800)
  }

  @Test("M16: a rule limits the samples of every client of the device")
  func capped() async throws {
    let phone = try await Lab.phone(
      [Lab.accelerometer, "host.app"],
      policy: """
        use motion.accelerometer as accel
        rule cap while not screen.on { downgrade accel to 12.5 Hz }
        """, facts: [(0, "screen.on", "true"), (60, "screen.on", "false")])
    await phone.ask("app", "a", request(50))
    await phone.run(until: 120)
    #expect(abs(phone.samples("app", "a").count - 3750) <= 2)
    #expect(
      phone.notices(MotionNotice.self, for: "app").contains {
        $0.notice == .interval(asked: .milliseconds(20), given: .milliseconds(80))
      })
  }

  @Test("M15: starting a missing device fails with a reason; stopping an idle device does nothing")
  func availability() async throws {
    let phone = try await Lab.phone([Lab.accelerometer])
    await phone.ask("app", "g", MotionRequest(.rotation, interval: .seconds(1)))
    await phone.end("app", "g")
    await phone.end("app", "a")
    await phone.ask("app", "a", request(1))
    await phone.command("app", "a", MotionCommand.stop)
    await phone.command("app", "a", MotionCommand.stop)
    await phone.run(until: 10)
    #expect(phone.observer.everything.refusals.map(\.text) == ["app/g unavailable"])
    #expect(await !phone.isOn(Lab.accelerometer))
  }

  @Test(
    "M15: after random starts, stops, losses and returns, no demand remains when all streams are stopped")
  func races() {
    let manifests = [Lab.accelerometer, Lab.fusion, Lab.gyroscope].map { device in
      Manifest(
        device: device, kind: .sensor, title: device.path,
        states: [PowerState(name: "off", power: .zero, isOn: false)], initial: 0, safe: 0)
    }
    let vocabulary = Vocabulary(manifests: manifests)
    for seed in Trials(10_000).seeds {
      var chance = SeededGenerator(seed: seed)
      var board = ServiceBoard(vocabulary, at: .epoch)
      var held: Set<DemandID> = []
      func step(_ inputs: [ServiceInput]) {
        for effect in board.step(inputs, at: .epoch) {
          if case .raise(let demand) = effect { held.insert(demand.id) }
          if case .release(let demand) = effect { held.remove(demand) }
        }
      }
      step([.attach("app", permissions: .always, mayBackground: true)])
      for _ in 0..<12 { step([Self.act(&chance)]) }
      step([.end(ServiceID("app", "a")), .end(ServiceID("app", "f"))])
      #expect(held.isEmpty, "seed \(seed)")
      #expect(board.isEmpty, "seed \(seed)")
    }
  }

  private static func act(_ chance: inout SeededGenerator) -> ServiceInput {
    let isFused = Bool.random(using: &chance)
    let id = ServiceID("app", isFused ? "f" : "a")
    let device = chance.pick([Lab.accelerometer, Lab.gyroscope, Lab.fusion])
    let mode = chance.pick([MotionRequest.Mode.push, .pull])
    let request = MotionRequest(
      isFused ? .deviceMotion : .acceleration, mode,
      interval: .milliseconds(Int64.random(in: 1...100, using: &chance)))
    return chance.pick([
      .ask(id, request, receivers: .both), .end(id), .command(id, MotionCommand.stop),
      .command(id, MotionCommand.read), .command(id, MotionCommand.receiverGone),
      .device(device, .available(false)), .device(device, .available(true)), .device(device, .fault("torn")),
    ])
  }

  @Test("M17: the magnetometer is stopped while the gyroscope stays on, and rules limit its rate")
  func magnetometer() async throws {
    let phone = try await Lab.phone(
      policy: """
        use motion.magnetometer as mag
        rule r always { downgrade mag to 5 Hz }
        """)
    await phone.ask("app", "m", MotionRequest(.magneticField, interval: .milliseconds(20)))
    await phone.ask("app", "g", MotionRequest(.rotation, interval: .milliseconds(100)))
    await phone.run(until: 60)
    #expect(phone.samples("app", "m").count == 300)
    #expect((await phone.ledger()).byDevice[Lab.magnetometer] == Energy(nanojoules: 60 * 500_000))
    await phone.end("app", "m")
    #expect(await !phone.isOn(Lab.magnetometer))
    #expect(await phone.isOn(Lab.gyroscope))
    let field = phone.samples("app", "m").map { ($0.first * $0.first + $0.second * $0.second).squareRoot() }
    #expect(field.allSatisfy { (19...23).contains($0) })
  }
}
