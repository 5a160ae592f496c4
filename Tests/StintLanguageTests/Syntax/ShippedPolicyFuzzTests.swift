import StintAuthoring
import StintLanguage
import StintTestSupport
import StintUnits
import Testing

@Suite("Damaged copies of the shipped policies")
struct ShippedPolicyFuzzTests {
  /// Returns true when the text has no syntax errors. Also checks properties that hold for every text.
  private func isValid(_ bytes: [UInt8]) -> Bool {
    let source = SourceText(file: "damaged", bytes: bytes)
    let found = Checker.check([source], vocabulary: TestVocabulary.vocabulary).diagnostics
    let places = found.compactMap { $0.labels.first?.span.start }
    #expect(places == places.sorted() && places.count == found.count)
    _ = DiagnosticRenderer.text(found, sources: [source])
    guard case .success(let once) = Formatter.format(source) else { return false }
    #expect(formatted(once) == once, "\(source.text)")
    #expect(tree(once) == tree(source.text), "\(source.text)")
    #expect(comments(once) == comments(source.text), "\(source.text)")
    return true
  }

  @Test("overwritten, removed and doubled bytes cause no crash", arguments: RepositoryFile.policies)
  func bytes(name: String) {
    let sound = RepositoryFile.policy(name)
    var random = SeededGenerator(seed: UInt64(sound.count))
    for _ in Trials(600, fewest: 6).rounds {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0..<bytes.count - 20, using: &random)
        let range = start..<start + Int.random(in: 1...20, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[start] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 2: bytes.removeSubrange(range)
        default: bytes.insert(contentsOf: Array(bytes[range]), at: start)
        }
      }
      _ = isValid(bytes)
    }
  }

  @Test(
    "removed, doubled, swapped and inserted words cause no crash, and at least one result is valid",
    arguments: RepositoryFile.policies)
  func words(name: String) {
    let sound = String(decoding: RepositoryFile.policy(name), as: UTF8.self).split(
      separator: " ", omittingEmptySubsequences: false)
    var random = SeededGenerator(seed: UInt64(sound.count))
    var validCount = 0
    for _ in Trials(600, fewest: 24).rounds {
      var words = sound
      let place = Int.random(in: 0..<words.count, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: words.remove(at: place)
      case 1: words.insert(words[place], at: place)
      case 2: words.swapAt(place, Int.random(in: 0..<words.count, using: &random))
      default: words.insert(random.pick(["#", "\n", "\r\n\r\n\n", "\t", "# why\n", "{", "not"]), at: place)
      }
      if isValid(Array(words.joined(separator: " ").utf8)) { validCount += 1 }
    }
    #expect(validCount >= 1)
  }

  @Test(
    "a policy truncated after any multiple of 7 bytes has at most two syntax errors",
    arguments: RepositoryFile.policies)
  func cut(name: String) {
    let sound = RepositoryFile.policy(name)
    for end in stride(from: 0, to: sound.count, by: 7) {
      let source = SourceText(file: "cut", bytes: Array(sound[..<end]))
      let errors = Parser.parse(source, units: .standard).diagnostics.filter { $0.code != .invalidEncoding }
      #expect(errors.count <= 2, "\(DiagnosticRenderer.text(errors, sources: [source]))")
    }
  }
}
