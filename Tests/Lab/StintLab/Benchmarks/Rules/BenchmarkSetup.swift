import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintTools
import StintUnits

/// A workload in the form that Stint uses: devices and facts, the policy texts, and their image.
struct BenchmarkSetup: Sendable {
  let workload: Workload
  let vocabulary: Vocabulary
  /// The policy texts; several when there are more rules than one check supports.
  let texts: [String]
  let image: VerifiedImage
  /// The index of the fact for each field of the workload.
  let facts: [Int]
  /// For each device of the workload, the index of its first rule in the image. The last element is the
  /// number of rules.
  let firstRules: [Int]
  /// The priority of each rule of the image.
  let priorities: [Int]

  init(_ workload: Workload) throws(Problem) {
    self.workload = workload
    vocabulary = Vocabulary(
      manifests: (0..<workload.deviceCount).map { Self.manifest($0) },
      declared: workload.fields.map { FactSchema(path: Workload.fact($0), type: $0.type) })
    let texts = workload.policyTexts
    self.texts = texts
    image = try Self.image(of: texts, vocabulary)
    var facts: [Int] = []
    for field in workload.fields { facts.append(vocabulary.fact(Workload.fact(field)) ?? -1) }
    self.facts = facts
    let rules = workload.ordered
    priorities = rules.map(\.priority)
    firstRules = (0...workload.deviceCount).map { device in
      rules.firstIndex { $0.device >= device } ?? rules.count
    }
  }

  /// Checks each text, compiles all of them into one image, and verifies it.
  static func image(of texts: [String], _ vocabulary: Vocabulary) throws(Problem) -> VerifiedImage {
    var policies: [CheckedPolicy] = []
    for text in texts {
      let checked = Checker.check([SourceText(file: "bench.stint", text: text)], vocabulary: vocabulary)
      if let error = checked.diagnostics.first(where: { $0.severity == .error }) {
        throw Problem(.content, place: "bench.stint", cause: "\(error)")
      }
      policies += checked.policies
    }
    do {
      return try ImageVerifier.verify(Compiler.compile(policies, vocabulary: vocabulary))
    } catch {
      throw Problem(.content, place: "bench.stint", cause: "\(error)")
    }
  }

  /// Compiles the image again, so that the result shares no memory with `image`. The result is never nil,
  /// because the same texts were compiled before.
  func imageAgain() -> VerifiedImage? {
    do { return try Self.image(of: texts, vocabulary) } catch { return nil }
  }

  func program() -> Program { Program(image: image, defaults: []) }

  private static func manifest(_ device: Int) -> Manifest {
    Manifest(
      device: DeviceID(Workload.device(device)), kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false),
        PowerState(name: "on", power: Power(nanowatts: 1_000_000), isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)],
      verbs: Verb.allCases,
      attributes: [
        AttributeSchema(
          name: "rate", type: .quantity(.rate), range: 0.0001...Double(2 * Workload.fastest),
          fallback: .number(Double(2 * Workload.fastest)))
      ])
  }

  /// Returns the value of a fact for a number in the field with the index `field`.
  func value(_ number: Double, of field: Int) -> FactValue {
    switch workload.fields[field].type {
    case .boolean: .boolean(number != 0)
    case .quantity: .number(number)
    case .symbol: .symbol(Int(number))
    }
  }

  /// Returns the fact updates for a vector: for the fields in `fields`, or for all fields when `fields`
  /// is nil.
  func updates(_ vector: [Double], _ fields: [Int]? = nil) -> ContiguousArray<FactUpdate> {
    ContiguousArray(
      (fields ?? Array(workload.fields.indices)).map {
        FactUpdate(fact: facts[$0], value: value(vector[$0], of: $0))
      })
  }
}

/// The index of a fact and its new value.
struct FactUpdate: Sendable {
  var fact: Int
  var value: FactValue
}
