import StintFormats

/// Something that may be put in at the cursor.
struct Candidate: Hashable {
  /// What sort of thing, as a number of the protocol.
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
  /// Shown beside the label.
  var detail = ""
  /// Shown below.
  var meaning = ""
  /// 0 comes first.
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
