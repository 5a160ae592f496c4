import StintTools
import Testing

@Suite struct TextWrapTests {
  private let narrow = TextWrap(columns: 20)

  @Test func `a paragraph breaks between words, and further lines begin at the indent`() {
    #expect(narrow.paragraph("one two three four five") == "one two three four\nfive")
    #expect(
      narrow.paragraph("one two three four", first: "  --seed  ", indent: 10)
        == "  --seed  one two\n          three four")
    #expect(narrow.paragraph("") == "")
  }

  @Test func `a word that is wider than the line is not broken`() {
    #expect(
      narrow.paragraph("see /a/path/that/is/wider/than/this now")
        == "see\n/a/path/that/is/wider/than/this\nnow")
  }

  @Test func `colour codes have no width, and a letter of several bytes has width one`() {
    let red = "\u{1B}[31m1234567890\u{1B}[0m"
    #expect(narrow.paragraph("\(red) ééééééééé") == "\(red) ééééééééé")
    #expect(narrow.paragraph("\(red) éééééééééé") == "\(red)\néééééééééé")
  }

  @Test func `paragraphs are wrapped again, and an indented line begins a new paragraph`() {
    #expect(
      narrow.paragraphs("one\ntwo three\n\nfour\n    an item of a list here\nfive six")
        == "one two three\n\nfour\n    an item of a\n      list here\nfive six")
  }

  @Test func `text that is too wide for a line of a report continues below the last cell of the line`() {
    #expect(narrow.report("short\n  a  b") == "short\n  a  b")
    #expect(
      narrow.report("  on  gps  one two three four")
        == "  on  gps  one two\n           three\n           four")
    #expect(narrow.report("one two three four five six") == "one two three four\n    five six")
  }

  @Test func `a cell that begins too far to the right does not narrow the text`() {
    #expect(narrow.report("  on   one two three  four five") == "  on   one two three\n       four five")
  }
}
