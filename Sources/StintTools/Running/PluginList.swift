import StintDaemon
import StintFormats
import StintJournal
import StintModel
import StintPluginHost
public import StintPluginKit
public import StintUnits

/// The plugins of a site, or the linked plugins, with the resources that each plugin may access. No plugin is
/// started.
public struct PluginList: Sendable {
  /// A plugin as it is printed.
  private struct Entry {
    var name: String
    var meaning: String
    var carrier: String
    var lines: [(key: String, value: String)] = []
    var problem: String?
  }

  private let entries: [Entry]

  /// Reads the plugins of a site.
  ///
  /// - Parameters:
  ///   - path: the path of the site file; nil for the plugins that are linked into this program.
  ///   - linked: the plugins that are linked into this program.
  /// - Throws: `Problem` when the site file cannot be read.
  public init(site path: String?, linked: [LinkedPlugin]) throws(Problem) {
    guard let path else {
      entries = linked.map(\.form).map { Self.linked($0.name, $0.meaning) }
      return
    }
    let (site, processes) = try SiteFiles.read(path, linked: linked)
    var entries: [Entry] = []
    for (index, plugin) in site.plugins.enumerated() {
      guard plugin.descriptor != nil else {
        entries.append(
          Self.linked(plugin.name, linked.first { $0.form.name == plugin.name }?.form.meaning ?? ""))
        continue
      }
      let place = "\(path): plugins[\(index)]"
      entries.append(
        Self.process(processes.known(plugin), plugin, place: place) { () throws(Problem) in
          _ = try processes.entry(plugin, place: place)
        })
    }
    self.entries = entries
  }

  /// The number of plugins that cannot run because of a problem.
  public var problems: Int { entries.count { $0.problem != nil } }

  private static func linked(_ name: String, _ meaning: String) -> Entry {
    Entry(
      name: name, meaning: meaning, carrier: "linked in",
      lines: [("access", "everything that the daemon can access: it is part of the daemon")])
  }

  private static func process(
    _ entry: ChildPrograms.Entry, _ plugin: Site.Plugin, place: String, _ check: () throws(Problem) -> Void
  ) -> Entry {
    let descriptor = entry.descriptor
    var result = Entry(
      name: descriptor.form.name, meaning: descriptor.form.meaning,
      carrier: plugin.isLibrary ? "a library, loaded into the daemon" : "a process of its own")
    let program = entry.path(of: descriptor.program)
    result.lines = [("descriptor", entry.path), ("program", program)]
    result.lines.append(
      ("sha256", entry.hash + (plugin.hash == nil ? ", not pinned by the site" : ", pinned by the site")))
    do throws(Problem) {
      try check()
      let devices = try ChildPrograms.devices(entry, plugin, place: place).map(\.device)
      for device in devices { result.lines += lines(of: device) }
      result.problem = ChildPrograms.program(entry, plugin, devices).rejectionReason()
    } catch {
      result.problem = error.description
    }
    if plugin.isLibrary {
      result.lines.append(("access", "everything that the daemon can access: it is part of the daemon"))
      return result
    }
    let count = descriptor.files.count
    result.lines.append(("reads", "its \(count) sealed files and the system's libraries"))
    for need in descriptor.needs {
      result.lines.append((need.access == .read ? "reads" : "writes", need.path))
    }
    result.lines.append(("network", descriptor.needsNetwork ? "yes" : "no"))
    result.lines.append(("processes", descriptor.needsProcesses ? "may start its own" : "only itself"))
    if !plugin.required.isEmpty {
      result.lines.append(("requires", plugin.required.map(\.rawValue).joined(separator: ", ")))
      let missing = plugin.required.filter { !ContainmentReport.current.includes($0) }
      if !missing.isEmpty, result.problem == nil {
        result.problem =
          "this system lacks \(missing.map(\.rawValue).joined(separator: ", ")), which the site requires"
      }
    }
    return result
  }

  private static func lines(of device: ProgramDevice) -> [(key: String, value: String)] {
    let (manifest, own) = (device.manifest, device.ownManifest.device)
    var lines = [("device", "\(manifest.device), a \(manifest.kind.rawValue): \(manifest.title)")]
    if own != manifest.device { lines.append(("own name", own.path)) }
    let about = manifest.about
    for (key, value) in [("version", about.version), ("author", about.author), ("licence", about.licence)]
    where !value.isEmpty { lines.append((key, value)) }
    if !about.roles.isEmpty { lines.append(("roles", about.roles.joined(separator: ", "))) }
    return lines
  }

  /// The list as text for people.
  public var text: String {
    guard !entries.isEmpty else { return "no plugin" }
    var lines: [String] = []
    for entry in entries {
      lines.append("\(entry.name)   \(entry.meaning); \(entry.carrier)")
      for line in entry.lines { lines.append("  \(Self.padded(line.key))\(line.value)") }
      if let problem = entry.problem { lines.append("  \(Self.padded("problem"))\(problem)") }
    }
    let containment = ContainmentReport.current
    lines.append("")
    lines.append(
      "in effect   \(containment.present.isEmpty ? "nothing" : containment.present.joined(separator: ", "))")
    if !containment.missing.isEmpty {
      lines.append("missing     \(containment.missing.joined(separator: "; "))")
    }
    return lines.map(VisibleText.line).joined(separator: "\n")
  }

  private static func padded(_ key: String) -> String {
    key + String(repeating: " ", count: max(12 - key.count, 1))
  }

  /// The list as one line of JSON.
  public var jsonText: String {
    let containment = ContainmentReport.current
    let plugins = entries.map { entry in
      let lines = entry.lines.map { line -> JSONValue in [JSONValue(line.key), JSONValue(line.value)] }
      let problem: JSONValue = entry.problem.map { JSONValue($0) } ?? JSONValue(.null)
      let value: JSONValue = [
        "name": JSONValue(entry.name), "meaning": JSONValue(entry.meaning),
        "carrier": JSONValue(entry.carrier), "about": JSONValue(.array(lines)), "problem": problem,
      ]
      return value
    }
    return ReportKind.pluginList.text(of: [
      "plugins": JSONValue(.array(plugins)),
      "held": JSONValue(.array(containment.present.map { JSONValue($0) })),
      "missing": JSONValue(.array(containment.missing.map { JSONValue($0) })),
    ])
  }
}
