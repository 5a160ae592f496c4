import StintModel
import StintServices
import StintUnits

/// The phone with only its motion devices, and queries of the results of its streams.
enum MotionLaboratory {
  static let accelerometer: DeviceID = "motion.accelerometer"
  static let gyroscope: DeviceID = "motion.gyro"
  static let magnetometer: DeviceID = "motion.magnetometer"
  static let fusion: DeviceID = "motion.fused"
  static let parts = [accelerometer, gyroscope, magnetometer, fusion]

  /// Makes a phone at rest with these devices and its processor, and a client for each name.
  static func phone(
    _ parts: [DeviceID] = parts, clients: [ClientID] = ["app"], policy: String = "",
    declares: [FactSchema] = [], facts: [(Double, String, String)] = []
  ) async throws -> Phone {
    let phone = try await Phone(
      devices: parts + ["host.processor"], declares: declares, facts: facts, policy: policy)
    for client in clients { await phone.attach(client) }
    return phone
  }
}

extension Phone {
  /// Returns the samples that a stream delivered to its client, oldest first.
  func samples(_ client: ClientID, _ name: String) -> [Sample] {
    notices(MotionNotice.self, for: client, name).flatMap { entry -> [Sample] in
      if case .samples(let samples, _) = entry.notice { samples } else { [] }
    }
  }

  /// Returns the answers to reads of a stream.
  func latest(_ client: ClientID, _ name: String) -> [(second: Double, sample: Sample?, isStale: Bool)] {
    notices(MotionNotice.self, for: client, name).compactMap { entry in
      guard case .latest(let sample, let isStale) = entry.notice else { return nil }
      return (entry.second, sample, isStale)
    }
  }

  /// Returns the codes of a service's warnings, each with its second.
  func motionWarnings(_ client: ClientID, _ name: String) -> [String] {
    notices(MotionNotice.self, for: client, name).compactMap { entry in
      if case .warning(let code, _) = entry.notice { "\(code) \(entry.second)" } else { nil }
    }
  }

  /// Returns the number of times that a device was switched on. In the states of `floor` the device counts as
  /// off.
  func powerUps(of device: DeviceID, floor: [String] = ["off"]) -> Int {
    states(of: device).reduce(into: (count: 0, isOn: false)) { tally, entry in
      let isOn = !floor.contains { entry.hasPrefix("\($0) ") }
      if isOn, !tally.isOn { tally.count += 1 }
      tally.isOn = isOn
    }.count
  }
}
