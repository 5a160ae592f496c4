import StintLanguage
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite("Values of a tuned parameter")
struct TunedParameterTests {
  private func first(_ text: String) -> TunedParameter? {
    TunedParameter.all(
      of: SourceText(file: "a.stint", text: "policy \"a\" version 1\n\(text)\n"), units: .standard
    ).first
  }

  private static let ranges = [
    "40 m in 10 m .. 160 m", "0 s in 0 s .. 60 s", "20 % in 15 % .. 25 %",
    "1 per 30 s in 1 per 3 min .. 1 per 5 s",
    "2 Hz in 1 per 10 s .. 50 Hz", "90 min in 1 s .. 3 d", "-5 C in -20 C .. 10 C",
    "0.2 m/s in 0.05 m/s .. 2 m/s",
    "10 items in 1 items .. 3000 items", "2 MB in 100 kB .. 20 MB", "3 J in 10 mJ .. 2000 J",
    "1 min in 1 min .. 2 min",
  ]

  @Test(
    "choices ascend from the start to the end of the range and include the written value",
    arguments: ranges.dropLast(2))
  func choices(text: String) throws {
    let parameter = try #require(first("param a = \(text)"))
    let values = parameter.choices.map(\.quantity.value)
    let words = text.split(separator: " in ")
    let ends = words[1].split(separator: " .. ")
    #expect(values.count >= 10 && values.count <= 50)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    #expect(parameter.choices.first?.text == String(ends[0]))
    #expect(parameter.choices.last?.text == String(ends[1]))
    #expect(parameter.choices[parameter.written].text == String(words[0]))
  }

  @Test("each choice is valid in a policy and is parsed to the same value", arguments: ranges)
  func spelled(text: String) throws {
    let parameter = try #require(first("param a = \(text)"))
    // Each check parses a policy, so the unit tier checks only the ends and every twelfth choice.
    let step = Tier.current == .unit ? 12 : 1
    let places = stride(from: 0, to: parameter.choices.count, by: step) + [parameter.choices.count - 1]
    for choice in places.map({ parameter.choices[$0] }) {
      let again = try #require(
        first("param a = \(choice.text) in \(text.split(separator: " in ")[1])"), "\(choice.text)")
      #expect(again.choices[again.written] == choice)
    }
  }

  @Test("choices have nearly equal ratios and two significant digits, and low rates are written as periods")
  func spacing() throws {
    let rate = try #require(first("param a = 1 per 30 s in 1 per 4 min .. 1 per 15 s"))
    #expect(
      rate.choices.map(\.text).prefix(5) == [
        "1 per 4 min", "1 per 3.8 min", "1 per 3.6 min", "1 per 3.4 min", "1 per 3.2 min",
      ])
    #expect(rate.choices.map(\.text).contains("1 per 100 s"))
    let length = try #require(first("param a = 10 m in 10 m .. 1 km"))
    #expect(length.choices.map(\.text).contains("100 m"))
    #expect(length.choices.count > 40)
  }

  @Test(
    "a parameter with an empty, missing, wrong or invalid range is not tuned",
    arguments: [
      "5 s in 5 s .. 5 s", "5 s in 10 s .. 1 s", "5 s in 10 s .. 20 s", "5 s", "5 s in 1 m .. 10 m",
      "5 s in x", "",
    ])
  func fixed(text: String) { #expect(first("param a = \(text)") == nil) }
}
