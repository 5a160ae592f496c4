import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// The devices of a site: made once, by the plugins that are linked into the program.
struct SiteDevices: Sendable {
  /// The file's name, for messages.
  let path: String
  /// What time it is, for the run and for the plugins.
  let clock: PacedClock
  let plugins: [any DevicePlugin]
  /// Sorted by device.
  let manifestTexts: [String]

  /// Makes the devices; nothing is opened, and no time passes before the run but that of the clock.
  init(_ site: Site, path: String, linked: [LinkedPlugin]) throws(ToolError) {
    self.path = path
    let clock = PacedClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    self.clock = clock
    var devices: [LinkedPlugin.Device] = []
    for (index, entry) in site.plugins.enumerated() {
      guard let plugin = linked.first(where: { $0.form.name == entry.name }) else { continue }
      do throws(PluginError) {
        devices += try plugin.make(entry.settings) { clock.instant(at: SystemClock.monotonic()) }
      } catch {
        throw ToolError(
          .content, place: "\(path): plugins[\(index)]", cause: error.cause, nextStep: error.nextStep)
      }
    }
    devices.sort { $0.plugin.manifest.device < $1.plugin.manifest.device }
    for (left, right) in zip(devices, devices.dropFirst())
    where left.plugin.manifest.device == right.plugin.manifest.device {
      throw ToolError(
        .content, place: "\(path): plugins", cause: "two plugins are \(left.plugin.manifest.device)",
        nextStep: "keep one of them")
    }
    plugins = devices.map(\.plugin)
    manifestTexts = devices.map(\.manifestText)
  }
}

/// Reads site files.
enum SiteFiles {
  static func read(_ path: String, linked: [LinkedPlugin]) throws(ToolError) -> Site {
    let bytes: [UInt8]
    do throws(FileError) { bytes = try FileText.read(path) } catch { throw ToolError(error) }
    do throws(FormatErrors) {
      return try SiteReader.site(of: bytes, source: path, plugins: linked.map(\.form))
    } catch {
      throw ToolError(error)
    }
  }
}
