public import StintModel

/// Why a set of plugins is refused, with everything that is wrong with it.
public struct PluginSetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of problem a complaint names.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Two plugins name one device.
    public static let duplicate = Code(rawValue: "duplicate")
    /// A manifest cannot be trusted.
    public static let manifest = Code(rawValue: "manifest")
    /// A plugin is not of the kind that its manifest says.
    public static let kind = Code(rawValue: "kind")
  }

  /// One thing that is wrong.
  public struct Complaint: Hashable, Sendable {
    public var code: Code
    public var device: DeviceID
    /// Where in the manifest, as a JSON path; empty when it is about the plugin.
    public var path: String
    public var sentence: String
  }

  /// Sorted by device, in the order of the manifest's parts; never empty.
  public var complaints: [Complaint]

  public var description: String {
    complaints.map { complaint in
      let place = complaint.path.isEmpty ? "" : " \(complaint.path)"
      return "\(complaint.device)\(place): \(complaint.sentence)"
    }.joined(separator: "\n")
  }
}
