import StintModel
import StintPluginKit

/// The reason why the host ended a plugin's process, or why the process ended without a request.
package struct ChildFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of a failure. Later versions may add categories.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for the category in reports.
    package let rawValue: String

    /// Makes a category from its word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The process ended without a request.
    package static let crash = Code(rawValue: "crash")
    /// The process did not answer before its deadline, or does not read its channel.
    package static let hang = Code(rawValue: "hang")
    /// The process violated the protocol or its manifest.
    package static let protocolViolation = Code(rawValue: "lie")
    /// The process sent more than its manifest allows, woke the host too often, or made too many denied
    /// system calls.
    package static let flood = Code(rawValue: "flood")
    /// The process uses a version of the protocol with which the host cannot use its devices.
    package static let version = Code(rawValue: "version")
    /// A file of the plugin cannot be read, or its hash differs from the approved hash.
    package static let hash = Code(rawValue: "hash")
    /// The process could not be started.
    package static let start = Code(rawValue: "start")
  }

  /// The category.
  package let code: Code
  /// A sentence without its subject (the plugin) and without a full stop.
  package let sentence: String

  /// Makes a failure.
  package init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  init(_ fault: FrameFault) {
    switch fault.code {
    case .version: self.init(.version, fault.sentence)
    case .flood: self.init(.flood, fault.sentence)
    default: self.init(.protocolViolation, fault.sentence)
    }
    isPermanent = fault.code == .version || fault.code == .manifest
  }

  /// True when a restart would fail in the same manner.
  package private(set) var isPermanent = false

  func with(sentence: String) -> ChildFailure {
    var copy = ChildFailure(code, sentence)
    copy.isPermanent = isPermanent
    return copy
  }

  /// Returns a copy of the failure that names the device at which it was detected, for a process with several
  /// devices.
  func of(_ device: DeviceID) -> ChildFailure {
    with(sentence: "for \(device), \(sentence)")
  }

  /// A copy of the failure with `isPermanent` set. After a permanent failure, the plugin is not restarted.
  package var permanent: ChildFailure {
    var copy = self
    copy.isPermanent = true
    return copy
  }

  package var description: String { "\(code.rawValue): \(sentence)" }
}
