import StintFormats
import StintModel

/// The explanation that `stint explain` prints for a class of devices.
public struct ClassExplanation: Sendable {
  private let item: DeviceClass
  private let file: JSONValue

  /// Finds the class with this name. Returns nil for an unknown name.
  public init?(of name: String) {
    guard let item = DeviceClassReader.named(name), let file = DeviceClassReader.file(named: name) else {
      return nil
    }
    self.item = item
    self.file = file
  }

  /// Returns the class as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    let belonging =
      item.name == item.kind.rawValue
      ? "Each \(item.name) belongs to this class."
      : "A device belongs to this class if it has this name, or if its manifest has \"classes\": [\"\(item.name)\"]."
    let lists = [
      ("roles", item.roles.map(\.rawValue).sorted()), ("channels", item.channels.map(Self.line)),
      ("facts", item.facts.map(Self.line)), ("attributes", item.attributes.map(Self.line)),
      ("figures", item.figures.map(Self.line)), ("essential checks of stint plugin check", item.essential),
      ("provided by", item.providers),
    ]
    return
      ([
        paint.strong("\(item.name)  class of devices"),
        TextWrap.page.paragraph("Such a device is \(item.title). \(belonging)"),
      ]
      + lists.filter { !$0.1.isEmpty }.map { title, lines in
        ([paint.good(title)] + lines.map { "    \($0)" }).joined(separator: "\n")
      }).joined(separator: "\n\n")
  }

  private static func line(_ part: DeviceClass.Part) -> String {
    "\(part.name): \(part.type.name)" + (part.isOptional ? ", optional" : "")
  }

  /// The file of the class as one line of JSON.
  public var jsonText: String { JSONWriter.text(of: file) }
}
