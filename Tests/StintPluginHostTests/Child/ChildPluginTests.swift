import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  /// Tests a Python plugin in a separate process, without a defect and with each of many defects.
  @Suite("Plugins in separate processes", .enabled(if: ChildBench.hasPython))
  struct ChildPluginTests {
    private static let on = Setting(isOn: true, period: .milliseconds(100))

    private static func isBatch(_ event: PortEvent) -> Bool {
      if case .batch = event { true } else { false }
    }

    @Test("a plugin in Python delivers facts and samples while it is on")
    func serves() throws {
      try ChildBench.run(nil) { bench in
        #expect(bench.plugin.status.state == .serving)
        await bench.apply(Self.on)
        let fact = try await bench.first("a fact") { if case .fact = $0 { true } else { false } }
        if case .fact(let number, let value, _) = fact {
          #expect(number == 0 && value == .number(21.5))
        }
        let event = try await bench.first("a batch", Self.isBatch)
        if case .batch(let batch, _) = event {
          #expect(batch.samples.count == 1 && batch.samples[0].first == 21.5 && batch.reason == .immediate)
        }
        await bench.apply(.off)
        _ = try await bench.first("off") {
          if case .outcome(.state(0, _), _) = $0 { true } else { false }
        }
        #expect(bench.faults == [])
      }
    }

    @Test("a request to drain delivers the held samples, and closing the plugin loses no sample")
    func heldSamples() throws {
      try ChildBench.run(nil) { bench in
        await bench.apply(Setting(isOn: true, period: .milliseconds(100), isHolding: true))
        _ = try await bench.first("a fact") { if case .fact = $0 { true } else { false } }
        await bench.plugin.drain(at: bench.now, reason: .flushed)
        let drained = try await bench.first("a batch", Self.isBatch)
        if case .batch(let batch, _) = drained { #expect(batch.reason == .flushed) }
        _ = try await bench.first("more") { event in
          if case .fact(_, _, let instant) = event { instant > drained.instant } else { false }
        }
        await bench.set.close(at: bench.now)
        #expect(
          bench.plugin.status == ChildStatus(state: .finished, process: nil, restarts: 0, lostSamples: 0))
      }
    }

    @Test("the samples that a killed process held are counted as lost and reported")
    func heldByKilled() throws {
      try ChildBench.run(nil) { bench in
        await bench.apply(Setting(isOn: true, period: .milliseconds(100), isHolding: true))
        let first = try await bench.first("a sample") { if case .fact(0, _, _) = $0 { true } else { false } }
        _ = try await bench.first("a fifth sample") { event in
          if case .fact(0, _, let instant) = event {
            instant - first.instant > .milliseconds(350)
          } else {
            false
          }
        }
        kill(try #require(bench.plugin.status.process), SIGKILL)
        try await bench.fault(with: "held samples are lost")
        #expect((3...20).contains(bench.plugin.status.lostHeldSamples), "\(bench.plugin.status)")
        #expect(bench.faults.first?.hasPrefix("crash: was ended by signal 9") == true)
      }
    }

    @Test(
      "batches arrive in order through the ring, even if the plugin makes its ends of the pipes blocking")
    func throughRing() throws {
      try ChildBench.run("ring-blocks") { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("the sixth batch") {
          if case .batch(let batch, _) = $0 { batch.samples[0].sequence == 5 } else { false }
        }
        let numbers = bench.events.compactMap { event -> UInt64? in
          if case .batch(let batch, _) = event { batch.samples[0].sequence } else { nil }
        }
        #expect(numbers.prefix(6) == [0, 1, 2, 3, 4, 5])
        #expect(bench.faults == [] && bench.plugin.status.restarts == 0)
      }
    }

    @Test("values out of range are dropped and counted without a fault, and the process continues")
    func glitch() throws {
      try ChildBench.run("glitch") { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("the fourth batch") {
          if case .batch(let batch, _) = $0 { batch.samples[0].sequence == 6 } else { false }
        }
        let dropped = bench.set.members[0].port.droppedReadings
        #expect(dropped.count >= 6)
        #expect(dropped.lastReason.contains("ambient.temperature.temperature cannot be 1000 C"))
        #expect(bench.faults == [] && bench.plugin.status.restarts == 0)
      }
    }

    @Test("a frame of an unknown draft kind is ignored without a fault, and its sequence number counts")
    func draft() throws {
      try ChildBench.run("draft") { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("a batch", Self.isBatch)
        #expect(bench.faults == [])
      }
    }

    @Test(
      "X07, F11: each defect of a plugin is reported as a failure, and the device returns to its safe state",
      arguments: [
        ("crash", "crash: ended with status 1, last output “RuntimeError: the bus is on fire”"),
        ("hang", "hang: did not answer within"),
        (
          "lie",
          "lie: published an invalid value: ambient.temperature.temperature cannot have a value of this type; expected temperature"
        ),
        ("flood", "flood: sent more than 1000 frames a second"),
        ("samples", "flood: sent more than 20 samples a second"),
        ("nan", "lie: sent nan where a number is expected"),
        ("future", "lie: sent an instant"),
        ("past", "before the previous one"),
        ("order", "lie: sent sample number 0 where a higher number is expected"),
        ("sequence", "where frame"),
        ("place", "lie: published fact 7, which its manifest does not declare"),
        ("size", "lie: sent a frame of 2147483648 bytes"),
        ("leave", "hang: did not answer within"),
        ("kind", "lie: sent a frame of kind 99"),
        ("ring-ahead", "lie: moved its position 1099511365632 bytes beyond the ring's bounds"),
        ("ring-back", "lie: moved its position from"),
        ("ring-length", "lie: announced a frame of 4294967295 bytes, which it has not written"),
        ("ring-fact", "lie: sent fact through the ring; only batches are allowed"),
        ("ring-frame", "lie: sent a frame of 5 bytes through its ring"),
        ("ring-skip", "lie: sent another frame where frame"),
        ("ring-lie", "lie: sent nan where a number is expected"),
        ("ring-wake", "flood: woke the host more than 1000 times a second"),
      ])
    func broken(how: String, fault: String) throws {
      var limits = SupervisionLimits()
      limits.answer = .milliseconds(500)
      limits.firstDelay = .milliseconds(5)
      try ChildBench.run(how, limits: limits) { bench in
        await bench.apply(Self.on)
        try await bench.fault(with: fault)
        let events = bench.events
        let place = try #require(
          events.firstIndex { if case .outcome(.fault, _) = $0 { true } else { false } })
        let after = events[place...].dropFirst().prefix(3)
        let instant = events[place].instant
        #expect(
          Array(after) == [
            .fact(0, .unknown, at: instant), .outcome(.state(0, period: nil), at: instant),
            .available(false, at: instant),
          ])
        try await bench.waitForState { $0 == .serving || ChildBench.isQuarantined($0) }
        #expect(bench.plugin.status.restarts >= 1)
      }
    }

    @Test(
      "X07: a permanent failure leads to quarantine at once, with its reason",
      arguments: [
        ("newer", "version: uses protocol version 2.8, which is newer than 1.8"),
        ("older", "version: uses protocol version 0.8, which is older than 1.8"),
        ("units", "lie: declares “temperature” in “m”, but its manifest has temperature"),
        ("states", "lie: declares other states than its manifest: off, standby, on"),
        ("impostor", "lie: declares the device “location.gnss”"),
      ])
    func permanentFailure(how: String, fault: String) throws {
      try ChildBench.run(how) { bench in
        try await bench.waitForState { ChildBench.isQuarantined($0) }
        #expect(bench.faults == [fault, "quarantined: " + fault])
        #expect(bench.plugin.status.restarts == 0)
      }
    }

    @Test(
      "X07: a process that does not open is quarantined when no restart is permitted",
      arguments: ["mute", "garbage"]
    )
    func neverOpens(how: String) throws {
      var limits = SupervisionLimits()
      limits.open = .milliseconds(1500)
      limits.failures = 0
      try ChildBench.run(how, limits: limits) { bench in
        try await bench.waitForState { ChildBench.isQuarantined($0) }
        let fault = how == "mute" ? "hang: did not open within" : "lie: sent a frame of 1347703880 bytes"
        #expect(bench.faults.first?.hasPrefix(fault) == true, "\(bench.faults)")
      }
    }

    @Test("X07: too many crashes lead to quarantine")
    func tooManyCrashes() throws {
      var limits = SupervisionLimits()
      limits.firstDelay = .milliseconds(1)
      limits.failures = 2
      try ChildBench.run("crash", limits: limits) { bench in
        await bench.apply(Self.on)
        try await bench.waitForState { ChildBench.isQuarantined($0) }
        #expect(bench.faults.count == 4)
        #expect(bench.faults.last?.hasPrefix("quarantined after 2 restarts: crash:") == true)
      }
    }

    @Test("X07: a killed process restarts with its last setting, and its sample numbers continue")
    func restart() throws {
      try ChildBench.run(nil) { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("a batch", Self.isBatch)
        let process = try #require(bench.plugin.status.process)
        kill(process, SIGKILL)
        try await bench.fault(with: "crash: was ended by signal 9")
        let lost = bench.events.count
        _ = try await bench.first("a batch of the second process") { event in
          if case .batch(let batch, _) = event, let place = bench.events.firstIndex(of: event) {
            place >= lost && batch.samples[0].sequence > 0
          } else {
            false
          }
        }
        #expect(bench.plugin.status.restarts == 1 && bench.plugin.status.process != process)
        #expect(bench.faults.count == 1, "\(bench.faults)")
      }
    }

    @Test(
      "X07: after each of many kills, the process restarts, and sample numbers have no gap or duplicate"
    )
    func manyKills() throws {
      var limits = SupervisionLimits()
      limits.failures = 1_000_000
      limits.firstDelay = .milliseconds(1)
      limits.maxDelay = .milliseconds(1)
      // A machine under load starts a process slowly.
      limits.open = .seconds(30)
      let kills = Int(getenv("STINT_KILLS").map { String(cString: $0) } ?? "") ?? 10
      try ChildBench.run(nil, limits: limits) { bench in
        await bench.apply(Self.on)
        for number in 0..<kills {
          try await bench.waitForState { $0 == .serving }
          if number % 3 == 0 {
            _ = try await bench.first("a batch of process \(number)") { event in
              if case .batch(let batch, _) = event {
                batch.samples[0].sequence >= UInt64(number / 3)
              } else {
                false
              }
            }
          }
          let process = try #require(bench.plugin.status.process)
          kill(process, SIGKILL)
          try await bench.waitForState { _ in bench.plugin.status.restarts > number }
        }
        try await bench.waitForState { $0 == .serving }
        #expect(bench.plugin.status.restarts == kills && bench.faults.count == kills)
        var next: UInt64 = 0
        for case .batch(let batch, _) in bench.events {
          for sample in batch.samples {
            #expect(sample.sequence == next)
            next = sample.sequence + 1
          }
        }
        #expect(next >= UInt64(kills / 3) && bench.plugin.status.lostSamples == 0)
      }
    }

    @Test("X07: the processes that a plugin has started end with the plugin")
    func startedProcesses() throws {
      try ChildBench.run("children", startsProcesses: true) { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("a batch", Self.isBatch)
        let group = try #require(bench.plugin.status.process)
        #expect(kill(-group, 0) == 0)
        await bench.set.close(at: bench.now)
        // A process that was just killed may not be reaped yet.
        for _ in 0..<2_000 where kill(-group, 0) == 0 { usleep(1_000) }
        #expect(kill(-group, 0) == -1 && errno == ESRCH)
      }
    }

    @Test("X07: a plugin that prints endlessly blocks on its full output pipe, does not answer, and is ended")
    func chatter() throws {
      try ChildBench.run("chatter") { bench in
        // The process prints from its first reading on, and does not answer a setting after that.
        for number in 0..<60 where bench.faults.isEmpty {
          var setting = Self.on
          setting.period = .milliseconds(100 + Int64(number))
          await bench.apply(setting)
          await bench.pause()
        }
        try await bench.fault(with: "hang: did not answer")
      }
    }

    @Test(
      "a removed plugin ends; adding it again applies its last setting and continues its sample numbers")
    func removedAndAdded() throws {
      try ChildBench.run(nil) { bench in
        await bench.apply(Self.on)
        _ = try await bench.first("a batch", Self.isBatch)
        let process = try #require(bench.plugin.status.process)
        await bench.plugin.remove()
        #expect(bench.plugin.status.isRemoved && bench.plugin.status.process == nil)
        #expect(kill(process, 0) != 0, "the process still runs")
        let last = bench.events.suffix(3).map { event in
          switch event {
          case .fact(0, .unknown, _): "unknown"
          case .outcome(.state(0, _), _): "safe"
          case .available(false, _): "not there"
          default: "\(event)"
          }
        }
        #expect(last == ["unknown", "safe", "not there"])
        // A setting that arrives while no process runs is applied when a process serves.
        await bench.apply(Self.on)
        await bench.plugin.remove()
        let before = bench.events.count
        await bench.plugin.add(bench.plugin.program)
        #expect(bench.plugin.status.state == .serving)
        await bench.plugin.add(bench.plugin.program)
        _ = try await bench.first("a batch of the new process") { event in
          bench.events.dropFirst(before).contains { $0 == event && Self.isBatch($0) }
        }
        let after = bench.events.dropFirst(before)
        #expect(after.first.map { if case .available(true, _) = $0 { true } else { false } } == true)
        let numbers = bench.events.flatMap { event -> [UInt64] in
          if case .batch(let batch, _) = event { batch.samples.map(\.sequence) } else { [] }
        }
        #expect(numbers == (0..<UInt64(numbers.count)).map { $0 })
        #expect(bench.faults == [])
      }
    }

    @Test(
      "starting a program that cannot be executed is a permanent failure with the reason",
      arguments: [
        ("#!/nowhere/python\n", "No such file or directory"), ("no program\n", "Exec format error"),
        ("", "Exec format error"),
      ])
    func noProgram(text: String, reason: String) throws {
      let folder = try ScratchFolder()
      try folder.write(text, as: "program")
      let program = ChildProgram(
        name: "x", manifest: Manifest(device: "a.b", kind: .source, title: ""),
        path: folder.path + "/program",
        folder: folder.path)
      let failure = #expect(throws: ChildFailure.self) { try SpawnedChild(program, [], nil) }
      #expect(failure?.code == .start && failure?.isPermanent == true)
      #expect(failure?.sentence == "cannot be started: \(program.path): \(reason)")
    }
  }

  extension ChildBench {
    static func isQuarantined(_ state: Supervision.State) -> Bool {
      if case .quarantined = state { true } else { false }
    }
  }
#endif
