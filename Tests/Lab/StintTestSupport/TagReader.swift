public import StintModel
import StintUnits

extension Manifest {
  /// The manifest of a source with the fact `count` and the family `tag.*`, which has at most two keys.
  public static let tagReader: Manifest = {
    var family = FactSchema(path: "reader.tag.*", type: .quantity(.length), range: 0...100)
    family.keys = 2
    return Manifest(
      device: "reader", kind: .source, title: "",
      facts: [FactSchema(path: "reader.count", type: .quantity(.none)), family])
  }()
}
