import StintFormats

/// A completion that the editor may insert at the cursor.
struct Candidate: Hashable {
  /// The kind of a completion, with its number in the protocol.
  enum Kind: Int {
    case function = 3
    case field = 5
    case variable = 6
    case type = 7
    case module = 9
    case property = 10
    case unit = 11
    case keyword = 14
    case enumMember = 20
    case constant = 21
    case event = 23
  }

  var label: String
  var kind: Kind
  /// The text that the editor shows beside the label.
  var detail = ""
  /// The text that the editor shows below the label.
  var meaning = ""
  /// The sort rank; lower ranks come first, from 0.
  var rank = 5

  func json(replacing range: JSONValue, prefix: String) -> JSONValue {
    var members = [
      JSONMember("label", JSONValue(label)), JSONMember("kind", JSONValue(kind.rawValue)),
      JSONMember("sortText", JSONValue("\(rank)\(label)")),
      JSONMember("filterText", JSONValue(prefix + label)),
      JSONMember("textEdit", ["range": range, "newText": JSONValue(prefix + label)]),
    ]
    if !detail.isEmpty { members.append(JSONMember("detail", JSONValue(detail))) }
    if !meaning.isEmpty { members.append(JSONMember("documentation", JSONValue(meaning))) }
    return JSONValue(members)
  }
}
