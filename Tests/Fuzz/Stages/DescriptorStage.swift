import StintFormats
import StintModel
import StintPluginKit

/// Uses arbitrary bytes as the descriptor of a plugin, and as its manifest. Each must be accepted, or
/// rejected with reasons. Reading the descriptor twice must give equal results. An accepted descriptor must
/// show the operator exactly the requested permissions of the plugin.
enum DescriptorStage {
  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    let first = try descriptor(bytes)
    try FuzzFinding.unless(
      try descriptor(bytes) == first, "equal bytes are read differently the second time")
    if let descriptor = first { try check(descriptor) }
    try manifest(bytes)
  }

  /// Returns nil when the bytes are rejected.
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
    for path in [descriptor.program] + descriptor.manifests + files + descriptor.needs.map(\.path) {
      try FuzzFinding.unless(!path.isEmpty, "an empty path is accepted")
      try FuzzFinding.unless(
        !path.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "control characters in \(path)"
      )
    }
    for need in descriptor.needs {
      let isWhole = need.path.hasPrefix("/") && !need.path.split(separator: "/").contains("..")
      try FuzzFinding.unless(isWhole, "a path is relative or contains “..”: \(need.path)")
    }
    for file in descriptor.files {
      try FuzzFinding.unless(file.hash.utf8.count == 64, "a SHA-256 of wrong length is accepted")
      let isWithin = !file.path.hasPrefix("/") && !file.path.split(separator: "/").contains("..")
      try FuzzFinding.unless(
        isWithin || file.path == descriptor.program, "a sealed file is outside the folder: \(file.path)")
    }
    try FuzzFinding.unless(
      Set(files).count == files.count && files.contains(descriptor.program)
        && descriptor.manifests.allSatisfy(files.contains),
      "the seal lists a path twice, or omits the program or a manifest")
    let keys = descriptor.form.settings.map(\.key)
    try FuzzFinding.unless(Set(keys).count == keys.count, "two settings have the same name")
    try FuzzFinding.unless(
      descriptor.requestedPermissions.count
        == descriptor.needs.count + (descriptor.needsNetwork ? 1 : 0) + (descriptor.needsProcesses ? 1 : 0),
      "a requested permission is hidden from the operator")
  }

  /// Checks that an accepted manifest is still valid when its device gets another name, and that only names
  /// change.
  private static func checkRenaming(_ manifest: Manifest, _ bytes: [UInt8]) throws(FuzzFinding) {
    do {
      let text = try ManifestNames.text(
        of: bytes, source: "manifest.json", manifest: manifest, names: [manifest.device: "renamed.device"])
      let copy = try ManifestReader.manifest(of: Array(text.utf8), source: "manifest.json")
      try FuzzFinding.unless(
        copy.device == "renamed.device" && copy.states == manifest.states
          && copy.provides == manifest.provides
          && copy.channels == manifest.channels && copy.attributes == manifest.attributes
          && copy.figures == manifest.figures && copy.facts.map(\.type) == manifest.facts.map(\.type),
        "a renamed manifest differs in more than its names")
    } catch let finding as FuzzFinding { throw finding } catch {
      throw FuzzFinding("a valid manifest is invalid with another name: \(error)")
    }
  }

  /// Checks that an accepted manifest has no faults and matches the frame that is built from it. The host
  /// makes the same comparison between the frame of a process and the manifest file. Large manifests are not
  /// compared.
  private static func manifest(_ bytes: [UInt8]) throws(FuzzFinding) {
    let manifest: Manifest
    do { manifest = try ManifestReader.manifest(of: bytes, source: "manifest.json") } catch {
      try Refusals.check(error)
      return
    }
    try FuzzFinding.unless(manifest.faults().isEmpty, "accepted manifest with faults: \(manifest.faults())")
    try checkRenaming(manifest, bytes)
    let said = FrameManifest(of: manifest)
    guard said.states.count + said.events.count + said.channels.count + said.facts.count < 200 else { return }
    do {
      let scales = try said.scales(for: manifest)
      try FuzzFinding.unless(scales.allSatisfy { $0.isFinite && $0 > 0 }, "a unit has no scale: \(scales)")
    } catch let finding as FuzzFinding { throw finding } catch {
      throw FuzzFinding("a manifest does not match its own description: \(error)")
    }
  }
}
