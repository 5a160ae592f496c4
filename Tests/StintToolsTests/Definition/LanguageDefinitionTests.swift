import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Definition of the language")
struct LanguageDefinitionTests {
  private static let isRecording = getenv("STINT_RECORD").map { String(cString: $0) } == "1"

  @Test("the files generated from the definition are up to date", arguments: LanguageFiles.all)
  func files(_ file: LanguageFiles.File) throws {
    let path = Repository.path(file.path)
    let present = (try? FileText.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let generated = file.made(present)
    if Self.isRecording {
      try FileText.write(Array(generated.utf8), to: path)
      return
    }
    #expect(
      present == generated,
      """
      \(file.path) differs from the text generated from the definition; generate the file again with:
      STINT_RECORD=1 swift test --filter LanguageDefinitionTests
      """
    )
  }

  @Test("no example has an error", arguments: LanguageDefinition.words)
  func examples(_ word: LanguageWord) throws {
    let check = PolicyCheck(
      [SourceText(file: "example.stint", bytes: Array(word.example.policy.utf8))],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()), limits: CostLimits())
    let errors = check.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(check.text())")
  }

  @Test("the example of each word contains this word", arguments: LanguageDefinition.words)
  func shown(_ word: LanguageWord) {
    #expect(word.example.policy.contains(word.name))
    #expect(!word.meaning.isEmpty && (word.meaning.hasSuffix(".") || word.meaning.hasSuffix("…")))
    #expect(!word.meaning.contains("\n") && !word.rule.contains("\n"))
  }

  @Test("stint explain finds each word of the tables of the language, and each term of reports")
  func found() {
    let gps = DeviceID("gps")
    let observed = [
      Observation.spread(gps, .minutes(1)), .heard(gps), .failed(gps), .batchDone(gps), .unexplained(gps),
      .powered(gps), .starts(gps), .hostWakeups, .watching(.moves), .used(gps, by: .moves), .energy(.moves),
    ].map { observation in
      let path = observation.path
      return String(path.contains("(") ? path.prefix { $0 != "(" } : path.split(separator: ".").last ?? "")
    }
    let maintained = Vocabulary(manifests: [Manifest(device: gps, kind: .sensor, title: "")]).facts
      .filter { $0.device == gps }.map { String($0.path.dropFirst(4)) }
    let standard = StandardFact.all.flatMap { fact -> [String] in
      if case .symbol(let words) = fact.schema.type { [fact.schema.path] + words } else { [fact.schema.path] }
    }
    let names =
      observed + maintained + standard + ServiceSignal.allCases.map(\.rawValue) + ClientFact.names
      + ServiceWord.allCases.map(\.rawValue) + ZoneQuery.allCases.map(\.rawValue)
      + Budget.Period.allCases.map(\.rawValue) + MeasureUnit.all.map(\.symbol)
      + LanguageDefinition.words.map(\.name) + ["mon", "sun", "weekdays", "weekends", "latch", "hysteresis"]
    #expect(maintained == ["available", "on", "state"] && observed.contains("powered"))
    #expect(names.filter { WordExplanation(of: $0) == nil } == [])
  }

  @Test("no word is defined twice within its kind")
  func unique() {
    let names = LanguageDefinition.words.map(\.description)
    #expect(Set(names).count == names.count)
    let keywords = LanguageDefinition.keywords.map(\.name)
    #expect(Set(keywords).count == keywords.count)
  }
}
