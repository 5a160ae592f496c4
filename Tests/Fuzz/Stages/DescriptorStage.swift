import StintFormats
import StintModel
import StintPluginKit

/// Any bytes as the descriptor of a plugin, and as its manifest: read or refused with reasons, the same each time; and
/// what is read asks for nothing that an operator could read otherwise than the system does.
enum DescriptorStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let first = try descriptor(bytes)
    try FuzzFinding.unless(
      try descriptor(bytes) == first, "the same bytes are read otherwise the second time")
    if let descriptor = first { try check(descriptor) }
    try manifest(bytes)
  }

  /// Nil where it is refused.
  private static func descriptor(_ bytes: [UInt8]) throws(FuzzFinding) -> PluginDescriptor? {
    do {
      return try PluginDescriptorReader.descriptor(of: bytes, source: "plugin.json")
    } catch {
      try Refusals.check(error)
      return nil
    }
  }

  private static func check(_ descriptor: PluginDescriptor) throws(FuzzFinding) {
    let files = descriptor.files.map(\.path)
    for path in [descriptor.program, descriptor.manifest] + files + descriptor.needs.map(\.path) {
      try FuzzFinding.unless(!path.isEmpty, "no path is taken for one")
      try FuzzFinding.unless(
        !path.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a path hides its end: \(path)"
      )
    }
    for need in descriptor.needs {
      let isWhole = need.path.hasPrefix("/") && !need.path.split(separator: "/").contains("..")
      try FuzzFinding.unless(isWhole, "a path leads elsewhere than it says: \(need.path)")
    }
    for file in descriptor.files {
      try FuzzFinding.unless(file.hash.utf8.count == 64, "a SHA-256 of another length is taken")
      let isWithin = !file.path.hasPrefix("/") && !file.path.split(separator: "/").contains("..")
      try FuzzFinding.unless(
        isWithin || file.path == descriptor.program, "a sealed file lies elsewhere: \(file.path)")
    }
    try FuzzFinding.unless(
      Set(files).count == files.count && files.contains(descriptor.program)
        && files.contains(descriptor.manifest),
      "the seal does not cover what is run")
    let keys = descriptor.form.settings.map(\.key)
    try FuzzFinding.unless(Set(keys).count == keys.count, "two settings have one name")
    try FuzzFinding.unless(
      descriptor.requestedPermissions.count
        == descriptor.needs.count + (descriptor.needsNetwork ? 1 : 0) + (descriptor.needsProcesses ? 1 : 0),
      "a wish is hidden from the operator")
  }

  /// What a process says of itself is compared with its manifest; it must be possible to build both.
  private static func manifest(_ bytes: [UInt8]) throws(FuzzFinding) {
    let manifest: Manifest
    do { manifest = try ManifestReader.manifest(of: bytes, source: "manifest.json") } catch {
      try Refusals.check(error)
      return
    }
    try FuzzFinding.unless(manifest.faults().isEmpty, "a manifest with faults is taken: \(manifest.faults())")
    let said = FrameManifest(of: manifest)
    guard said.states.count + said.events.count + said.channels.count + said.facts.count < 200 else { return }
    do {
      let scales = try said.scales(for: manifest)
      try FuzzFinding.unless(scales.allSatisfy { $0.isFinite && $0 > 0 }, "a unit has no size: \(scales)")
    } catch let finding as FuzzFinding { throw finding } catch {
      throw FuzzFinding("a manifest is not what it says itself: \(error)")
    }
  }
}
