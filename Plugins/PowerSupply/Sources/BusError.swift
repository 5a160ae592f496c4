import StintPluginKit

/// Why something on a bus cannot be asked.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }

  /// `number` is what the library answered: the system's number below zero.
  init(_ number: Int32, _ what: String) {
    self.init("\(what): \(DescriptorCalls.reason(-number))")
  }
}
