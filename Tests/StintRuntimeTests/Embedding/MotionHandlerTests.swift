import Stint
import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct MotionHandlerTests {
  @Test(
    "M09: a handler gets samples in order on the executor that the app chooses, and is never re-entered")
  func handler() async throws {
    var scenario = try BuiltInScenarios.scenario(named: "quiet")
    scenario.devices = ["host.app", "host.processor", "motion.accelerometer"]
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    let app = try await bus.attach("game", authorized: .whenInUse)
    let thread = try LoopThread()
    let receiver = MotionReceiver(loop: thread.loop)
    let request = MotionRequest(.acceleration, interval: .milliseconds(20))
    try await app.withService("move", request) { notices in
      async let listening: Void = receiver.listen(notices, until: 3000)
      for second in 1...60 {
        try await bus.advance(by: .seconds(1))
        while await receiver.samples.count < second * 50 { await Task.yield() }
      }
      await listening
      #expect(notices.lost == 0)
    }
    let samples = await receiver.samples.prefix(3000)
    #expect(samples.count == 3000)
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.instant - $0.instant == .milliseconds(20) })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $1.sequence == $0.sequence + 1 })
    let loopThread = await Spawner.start(on: thread.loop) { currentThread() }.value
    #expect(await receiver.threads == [loopThread])
    #expect(await receiver.overlaps == 0)
    await bus.close()
    thread.shutdown()
  }
}
