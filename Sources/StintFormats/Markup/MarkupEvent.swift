/// A tag that a scanner of markup has passed; prefixes of namespaces are left out of the name.
enum MarkupEvent: Equatable {
  /// `<name …>`; its attributes are at the scanner. `<name/>` is followed by its own `closed`.
  case opened(String)
  /// `</name>`; the text since the last tag is at the scanner.
  case closed(String)
}
