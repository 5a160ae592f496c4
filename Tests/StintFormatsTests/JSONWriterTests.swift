import StintFormats
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("keys keep their order, integers are exact, and doubles have the fewest digits that are exact")
  func compact() {
    let value: JSONValue = [
      "zebra": 9_007_199_254_740_993, "apple": 0.1, "list": [1, true, .null], "text": "a\"\u{1}\n\u{2028}é",
    ]
    #expect(
      JSONWriter.text(of: value)
        == #"{"zebra":9007199254740993,"apple":0.1,"list":[1,true,null],"text":"a\"\u0001\n\u2028é"}"#)
  }

  @Test("the pretty layout has two spaces per level and keeps empty arrays and objects on one line")
  func pretty() {
    let value: JSONValue = ["a": [1, 2], "b": [:], "c": [], "d": ["e": "f"]]
    #expect(
      JSONWriter.text(of: value, .pretty) == """
        {
          "a": [
            1,
            2
          ],
          "b": {},
          "c": [],
          "d": {
            "e": "f"
          }
        }
        """)
  }

  @Test(
    "numbers of every size are read exactly as they were written",
    arguments: [0.1, 1e300, Double.leastNonzeroMagnitude, -1.5, 1e21, 123456.789])
  func numbers(number: Double) throws {
    let text = JSONWriter.text(of: JSONValue(number))
    #expect(try JSONReader.value(of: text, source: "t.json").number == number)
  }

  @Test("a number that is not finite fails the precondition")
  func notFinite() async {
    await #expect(processExitsWith: .failure) { _ = JSONWriter.text(of: JSONValue(Double.nan)) }
  }
}
