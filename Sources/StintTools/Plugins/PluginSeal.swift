import StintFormats
import StintJournal
import StintModel
import StintRuntime

/// The hashes of a plugin's descriptor, brought up to date: whoever does it vouches for the program as it is now.
public struct PluginSeal: Hashable, Sendable {
  /// A file that a descriptor binds.
  public struct Bound: Hashable, Sendable {
    public let path: String
    public let hash: String
    /// Whether the descriptor had another hash.
    public let isNew: Bool
  }

  /// The descriptor's path.
  public let path: String
  /// The program and the manifest.
  public let files: [Bound]

  /// Seals the plugin in a folder, or the one with this descriptor. Nothing but the two hashes is changed.
  public init(_ place: String) throws(ToolError) {
    path = Folder.entry(at: place) == .folder ? FilePath.join(place, "plugin.json") : place
    let bytes = try Self.bytes(path)
    let descriptor: PluginDescriptor
    do throws(FormatErrors) {
      descriptor = try PluginDescriptorReader.descriptor(of: bytes, source: path)
    } catch {
      throw ToolError(error)
    }
    let program = try Self.bound(descriptor.program, descriptor.programHash, beside: path)
    let manifest = try Self.bound(descriptor.manifest, descriptor.manifestHash, beside: path)
    files = [program, manifest]
    guard files.contains(where: \.isNew) else { return }
    var text = String(decoding: bytes, as: UTF8.self)
    text = Self.replacing(text, "program_sha256", by: program.hash)
    text = Self.replacing(text, "manifest_sha256", by: manifest.hash)
    do throws(FileError) { try FileText.write(Array(text.utf8), to: path) } catch { throw ToolError(error) }
  }

  private static func bytes(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) { return try FileText.read(path) } catch { throw ToolError(error) }
  }

  private static func bound(
    _ file: String, _ hash: String, beside descriptor: String
  ) throws(ToolError) -> Bound {
    let path = file.hasPrefix("/") ? file : FilePath.join(FilePath.parent(of: descriptor), file)
    let now = SHA256.hexadecimal(of: try bytes(path))
    return Bound(path: path, hash: now, isNew: now != hash)
  }

  /// The text with another value of a key; the value has been read, so it is a text in quotes.
  private static func replacing(_ text: String, _ key: String, by value: String) -> String {
    guard let name = text.firstRange(of: "\"\(key)\""),
      let open = text[name.upperBound...].firstIndex(of: "\""),
      let close = text[text.index(after: open)...].firstIndex(of: "\"")
    else { preconditionFailure("a descriptor that was read has “\(key)”") }
    return text[...open] + value + text[close...]
  }

  /// A line for each file.
  public var text: String {
    files.map { "\($0.path): \($0.isNew ? "sealed anew" : "as it was"), SHA-256 \($0.hash)" }
      .joined(separator: "\n")
  }
}
