import StintGovernor
import StintModel
import StintRuntime

/// The indexes of a journal's devices and facts in a vocabulary that also has other devices and facts.
struct JournalIndexMap {
  private let devices: [Int]
  private let facts: [Int]
  private let families: [Int]

  /// - Parameter vocabulary: contains all devices and facts of `recorded`.
  init(of recorded: Vocabulary, in vocabulary: Vocabulary) {
    devices = recorded.manifests.map { vocabulary.device($0.device) ?? -1 }
    families = recorded.families.map { family in
      vocabulary.families.firstIndex { $0.path == family.path } ?? -1
    }
    facts = recorded.facts.map { vocabulary.fact($0.path) ?? -1 }
  }

  /// Returns the index of a device of the journal; nil when the journal has no such device.
  func device(_ number: Int) -> Int? { devices.indices.contains(number) ? devices[number] : nil }

  /// Returns an input of the journal with the indexes of the vocabulary. An index without a device or fact in
  /// the journal becomes -1.
  func translated(_ input: Input) -> Input {
    switch input {
    case .fact(let fact, let value): .fact(facts.indices.contains(fact) ? facts[fact] : -1, value)
    case .keyed(let family, let key, let value):
      .keyed(family: families.indices.contains(family) ? families[family] : -1, key: key, value)
    case .outcome(let device, let outcome): .outcome(device: self.device(device) ?? -1, outcome)
    case .delivered(let device, let samples, let reason):
      .delivered(device: self.device(device) ?? -1, samples: samples, reason: reason)
    case .available(let device, let isAvailable): .available(device: self.device(device) ?? -1, isAvailable)
    case .raise, .release, .carried, .wakeRequested, .signal, .hasConsumer, .presence, .localTime: input
    }
  }
}

extension Vocabulary {
  /// Returns this vocabulary with the additional devices and declared facts of `other`. A device with a name
  /// that this vocabulary already has is not added.
  func extended(by other: Vocabulary) -> Vocabulary {
    func declared(_ vocabulary: Vocabulary) -> [FactSchema] {
      vocabulary.facts.indices.filter { number in
        !vocabulary.isAbsent(number)
          && !vocabulary.manifests.contains { $0.device == vocabulary.facts[number].device }
      }.map { vocabulary.facts[$0] }
    }
    return Vocabulary(
      manifests: manifests + other.manifests.filter { device($0.device) == nil },
      declared: declared(self) + declared(other))
  }
}
