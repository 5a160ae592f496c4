import Stint
import StintSimulation

func simulatedExample() async throws {
  let phone = try ReferencePhone(scenario: "day-hike")
  let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
  try await bus.load(
    text: """
      policy "trail" version 1
      use location.gnss as gps
      rule rare while battery.level < 20 % { downgrade gps to 100 m }
      """)
  let app = try await bus.attach("trail-app", authorized: .whenInUse)
  let times = try await app.withDemand(.location(accuracy: .meters(10))) { batches in
    async let hour: Void = bus.advance(by: .seconds(3600))
    var times: [Duration] = []
    for try await batch in batches {
      times += batch.samples.map(\.time)
      if times.count >= 100 { break }
    }
    try await hour
    return times
  }
  print(times.count, "positions; now", bus.now - phone.clockStart)
  await bus.close()
}
