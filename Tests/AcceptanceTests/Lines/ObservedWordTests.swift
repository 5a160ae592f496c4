import StintModel
import StintServices
import StintUnits
import Testing

/// Facts that the governor computes about devices and services, read by policies on the simulated phone.
@Suite(.checkedPhones) struct ObservedWordTests {
  private func seconds(_ phone: Phone, of rule: String) -> [Double] {
    phone.observer.everything.acts.filter { $0.text.hasPrefix("test/\(rule) ") }.map {
      $0.second.rounded(.down)
    }
  }

  @Test(
    "L23: on foot, a spread below 30 m over 3 min pauses the receiver; probes detect the departure")
  func spread() async throws {
    let phone = try await Phone(
      [
        PlacesWorld.walk(20, heading: 40), PlacesWorld.rest(60, sky: .open),
        PlacesWorld.walk(40, heading: 40),
      ], devices: ["location.gnss", "host.app"],
      policy: """
        use location.gnss as gps
        rule on always { start gps for "app" with { accuracy 10 m  activity fitness } }
        rule foot_pause while client.activity is fitness and spread(gps, 3 min) < 30 m { pause gps }
        """)
    await phone.run(until: 1200)
    #expect(await phone.onTime(of: "location.gnss") >= 1190)
    await phone.run(until: 1200 + 3600)
    let resting = await phone.onTime(of: "location.gnss") - 1200
    #expect(resting > 150 && resting < 720, "on for \(resting) s of an hour's rest")
    await phone.run(until: 1200 + 3600 + 2400)
    #expect(await phone.onTime(of: "location.gnss") - 1200 - resting >= 2400 - 240)
    await phone.expectInvariants()
  }

  @Test(
    "L21: a rule on the spread over 10 min pauses the receiver after 10 min of rest, not earlier")
  func spreadWindow() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(120, sky: .open)], devices: ["location.gnss", "host.app"],
      policy: """
        use location.gnss as gps
        rule on always { start gps for "app" with { accuracy 10 m  activity other } }
        rule other_pause while client.activity is other and spread(gps, 10 min) < 50 m { pause gps }
        """)
    await phone.run(until: 47 + 599)
    #expect(await phone.isOn("location.gnss"))
    await phone.run(until: 47 + 605)
    #expect(await !phone.isOn("location.gnss"))
  }

  @Test("G05 R22: `failed` is true while a demanded device is absent, and false when the device is back")
  func failed() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(120)], devices: ["location.wifi", "host.app"],
      faults: [InjectedFault(device: "location.wifi", at: .seconds(600), duration: .minutes(5), kind: .loss)],
      policy: """
        use location.wifi as coarse
        rule on always { start coarse for "app" }
        rule r when coarse.failed { tell "app" "no position" }
        rule back when not coarse.failed { emit "back" }
        """)
    await phone.run(until: 3600)
    #expect(seconds(phone, of: "r") == [600])
    #expect(seconds(phone, of: "back") == [0, 900])
  }

  @Test("L32 R18: the fact `gps.batch_done` becomes true once for each delivered batch")
  func batchDone() async throws {
    let phone = try await Phone(
      [PlacesWorld.walk(60, heading: 0)], devices: ["location.gnss", "host.app"],
      policy: """
        use location.gnss as gps
        rule on always { start gps for "app" with { rate 1 Hz } }
        rule hold always { batch gps until 5 min }
        rule r when gps.batch_done { emit "batch" }
        """)
    await phone.run(until: 1801)
    #expect(seconds(phone, of: "r") == [300, 600, 900, 1200, 1500, 1800])
  }

  @Test("M13: a rule stops a sensor after a minute without a consumer; the next consumer starts the sensor")
  func heard() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(60)], devices: ["motion.accelerometer", "host.app"],
      policy: """
        use motion.accelerometer as accel
        rule leak while not heard(accel) for 60 s { stop accel }
        """)
    await phone.attach("app")
    await phone.ask("app", "turn", OrientationRequest())
    await phone.run(until: 10)
    await phone.command("app", "turn", OrientationCommand.begin)
    await phone.command("app", "turn", OrientationCommand.observe)
    await phone.run(until: 200)
    #expect(await phone.onTime(of: "motion.accelerometer") == 190)
    await phone.command("app", "turn", OrientationCommand.stopObserving)
    await phone.run(until: 1000)
    #expect(await phone.onTime(of: "motion.accelerometer") == 250)
    await phone.command("app", "turn", OrientationCommand.observe)
    await phone.run(until: 1100)
    #expect(await phone.onTime(of: "motion.accelerometer") == 350)
    await phone.expectInvariants()
  }

  @Test("X12: the fact `unexplained` is 0 s while a rule keeps a device on")
  func unexplained() async throws {
    let phone = try await Phone(
      [PlacesWorld.walk(20, heading: 0)], devices: ["location.gnss"],
      policy: """
        use location.gnss as gps
        rule on always { start gps }
        require unexplained(gps) == 0 s
        rule proof when unexplained(gps) == 0 s { emit "none" }
        """)
    await phone.run(until: 600)
    #expect(seconds(phone, of: "proof") == [0])
    #expect(phone.observer.everything.acts.count == 1)
  }

  @Test("N18: a rule with `cheap` defers work until the phone has Wi-Fi or external power")
  func cheap() async throws {
    let policy = """
      use radio.cellular as net
      rule any always { defer net until cheap(net) deadline 18 h }
      """
    for (facts, wifi, expected) in [
      ([(0.0, "power.source", "battery")], 3600, 3600.0),
      ([(0, "power.source", "battery"), (1800, "power.source", "external")], 36_000, 1800),
    ] {
      var line = try await PhoneTransferBench.open(
        [.staying(.seconds(Int64(wifi))), .staying(.hours(5), hasWiFi: true)], facts: facts, policy: policy)
      await line.run(until: 1)
      await line.ask()
      await line.submit("job", TransferBench.download())
      await line.run(until: 40_000)
      let finish = try #require(line.finish(of: "job"))
      #expect(finish >= expected && finish < expected + 60, "\(finish)")
    }
  }

  @Test("N08 N10 N12 N21 N22: rules can read facts of sessions without a declaration of these facts")
  func sessions() async throws {
    var line = try await PhoneTransferBench.open(
      policy: """
        use radio.cellular as net
        rule done when net.session_done { tell "mail" "sync finished" }
        rule failed when net.failed { emit "failed" }
        rule who when net.auth_needed { launch "mail" }
        rule file when net.file_ready { emit "mail.file" }
        rule reply when net.reply { emit "net.reply" }
        """)
    line.file = "job.part"
    line.server = { exchange in
      switch exchange.attempt {
      case 1: .refusedConnection
      case 2: .unauthorized
      default: .good
      }
    }
    await line.ask()
    await line.run(until: 1)
    await line.submit("job", TransferBench.download())
    await line.run(until: 100)
    await line.tell(.credentials("job"))
    await line.run(until: 200)
    #expect(line.finished() == ["job"])
    let acts = line.phone.observer.everything.acts.map { $0.text.split(separator: " ").first ?? "" }
    #expect(Set(acts) == ["test/failed", "test/who", "test/done", "test/file", "test/reply"])
    #expect(acts.filter { $0 == "test/file" }.count == 1)
  }
}
