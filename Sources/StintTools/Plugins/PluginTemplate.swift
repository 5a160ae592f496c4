import StintJournal

/// The files of a new plugin: a working device for the author to change.
struct PluginTemplate {
  /// A file to write, with its path relative to the plugin's folder.
  struct File: Hashable, Sendable {
    var path: String
    var text: String
    var isProgram = false
  }

  let name: String
  let language: PluginLanguage
  var kind = PluginTemplateKind.sensor
  /// The folder of the Stint package; used only by plugins in Swift.
  let stint: String

  /// Path of the program, which may not be built yet.
  var program: String {
    switch language {
    case .swift: ".build/release/\(name)"
    case .c: name
    case .python: "\(name).py"
    }
  }

  /// Path of the manifest.
  var manifest: String { language == .swift ? "Sources/Device/manifest.json" : "manifest.json" }

  /// All files, in the order in which they are written.
  var files: [File] {
    let own: [File] =
      switch language {
      case .swift:
        [
          File(path: "Package.swift", text: text(PackageResources.swift_package_template)),
          File(path: "Sources/Device/FileNumber.swift", text: text(PackageResources.swift_device_template)),
          File(path: "Sources/\(name)/Main.swift", text: text(PackageResources.swift_main_template)),
          File(path: "Tests/DeviceTests/DeviceTests.swift", text: text(PackageResources.swift_test_template)),
          File(path: ".gitignore", text: ".build/\n"),
          File(path: "README.md", text: text(PackageResources.swift_readme_template)),
        ]
      case .c:
        [
          File(path: "Makefile", text: text(PackageResources.c_Makefile_template)),
          File(path: "\(name).c", text: text(PackageResources.c_device_c_template)),
          File(path: "\(name).h", text: text(PackageResources.c_reading_h_template)),
          File(path: "\(name)_test.c", text: text(PackageResources.c_test_c_template)),
          File(path: "stint_channel.h", text: text(PackageResources.c_channel_h_template)),
          File(path: "stint_ring.h", text: text(PackageResources.c_ring_h_template)),
          File(path: "stint_plugin.h", text: text(PackageResources.c_protocol_h_template)),
          File(path: ".gitignore", text: "\(name)\n\(name)_test\n"),
          File(path: "README.md", text: text(PackageResources.c_readme_template)),
        ]
      case .python:
        [
          File(
            path: program,
            text: text(PackageResources.python_protocol_py_template) + "\n\n"
              + text(
                kind == .radio
                  ? PackageResources.python_radio_py_template : PackageResources.python_device_py_template),
            isProgram: true),
          File(
            path: "test_\(name).py",
            text: text(
              kind == .radio
                ? PackageResources.python_radio_test_py_template : PackageResources.python_test_py_template)),
          File(path: ".gitignore", text: "__pycache__/\n"),
          File(
            path: "README.md",
            text: text(
              kind == .radio
                ? PackageResources.python_radio_readme_template : PackageResources.python_readme_template)),
        ]
      }
    return own + described(own)
  }

  /// Returns the manifest, the descriptor, the site file and the policy. The hash of a program that is not
  /// built yet consists of zeros.
  private func described(_ own: [File]) -> [File] {
    let isRadio = kind == .radio
    let manifestText = text(
      isRadio ? PackageResources.radio_manifest_json_template : PackageResources.manifest_json_template)
    var hashes = [program: String(repeating: "0", count: 64)]
    for file in own + [File(path: manifest, text: manifestText)] {
      guard file.path.split(separator: "/").allSatisfy({ SealedFolder.belongs(String($0)) }) else { continue }
      hashes[file.path] = SHA256.hexadecimal(of: Array(file.text.utf8))
    }
    let files = hashes.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \"\($0.value)\"" }
    let descriptor = text(
      isRadio ? PackageResources.radio_plugin_json_template : PackageResources.plugin_json_template
    )
    .replacing("@PROGRAM@", by: program)
    .replacing("@MANIFEST@", by: manifest)
    .replacing("@FILES@", by: files.joined(separator: ",\n"))
    return [
      File(path: manifest, text: manifestText), File(path: "plugin.json", text: descriptor),
      File(
        path: "site.json",
        text: text(isRadio ? PackageResources.radio_site_json_template : PackageResources.site_json_template)),
      File(
        path: "watch.stint",
        text: text(
          isRadio ? PackageResources.radio_watch_stint_template : PackageResources.watch_stint_template)),
    ]
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("@NAME@", by: name).replacing("@STINT@", by: stint)
  }
}

extension String {
  fileprivate func replacing(_ mark: String, by text: String) -> String {
    var parts: [Substring] = []
    var rest = self[...]
    while let place = rest.firstRange(of: mark) {
      parts.append(rest[..<place.lowerBound])
      parts.append(text[...])
      rest = rest[place.upperBound...]
    }
    return parts.joined() + rest
  }
}
