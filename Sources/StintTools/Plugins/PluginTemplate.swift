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

  /// The path of the program, which may not be built yet.
  var program: String {
    switch language {
    case .swift: ".build/release/\(name)"
    case .c: name
    case .python: "\(name).py"
    }
  }

  /// The paths of the manifests, in the order of the devices.
  var manifests: [String] {
    let folder = language == .swift ? "Sources/Device/" : ""
    return kind == .chip ? Self.sensors.map { "\(folder)\($0.name).json" } : ["\(folder)manifest.json"]
  }

  /// The sensors of a chip, each with its unit and its power.
  private static let sensors = [
    (name: "accelerometer", unit: "m/s2", power: "200 uW"),
    (name: "gyroscope", unit: "deg/s", power: "5 mW"),
    (name: "magnetometer", unit: "uT", power: "1 mW"),
  ]

  /// All files, in the order in which they are written.
  var files: [File] {
    let own: [File] =
      switch language {
      case .swift: swiftFiles
      case .c: cFiles
      case .python: pythonFiles
      }
    return own + described(own)
  }

  private var swiftFiles: [File] {
    let (device, main, test, readme) =
      switch kind {
      case .sensor:
        (
          PackageResources.swift_device_template, PackageResources.swift_main_template,
          PackageResources.swift_test_template, PackageResources.swift_readme_template
        )
      case .chip:
        (
          PackageResources.swift_chip_template, PackageResources.swift_chip_main_template,
          PackageResources.swift_chip_test_template, PackageResources.swift_chip_readme_template
        )
      case .source:
        (
          PackageResources.swift_source_template, PackageResources.swift_main_template,
          PackageResources.swift_source_test_template, PackageResources.swift_source_readme_template
        )
      case .radio:
        (
          PackageResources.swift_radio_template, PackageResources.swift_radio_main_template,
          PackageResources.swift_radio_test_template, PackageResources.swift_radio_readme_template
        )
      }
    let package =
      kind == .chip ? PackageResources.swift_chip_package_template : PackageResources.swift_package_template
    var files = [
      File(path: "Package.swift", text: text(package)),
      File(path: "Sources/Device/\(swiftType).swift", text: text(device)),
      File(path: "Sources/\(name)/Main.swift", text: text(main)),
      File(path: "Tests/DeviceTests/DeviceTests.swift", text: text(test)),
      File(path: ".gitignore", text: ".build/\n"), File(path: "README.md", text: text(readme)),
    ]
    if kind == .radio {
      files.append(
        File(path: "Sources/Device/FileCopy.swift", text: text(PackageResources.swift_radio_copy_template)))
    }
    return files
  }

  private var swiftType: String {
    switch kind {
    case .sensor, .source: "FileNumber"
    case .chip: "Sensor"
    case .radio: "Modem"
    }
  }

  private var cFiles: [File] {
    let (device, hardware, test, readme) =
      switch kind {
      case .sensor:
        (
          PackageResources.c_device_c_template, PackageResources.c_reading_h_template,
          PackageResources.c_test_c_template, PackageResources.c_readme_template
        )
      case .chip:
        (
          PackageResources.c_chip_c_template, PackageResources.c_chip_reading_h_template,
          PackageResources.c_chip_test_c_template, PackageResources.c_chip_readme_template
        )
      case .source:
        (
          PackageResources.c_source_c_template, PackageResources.c_reading_h_template,
          PackageResources.c_test_c_template, PackageResources.c_source_readme_template
        )
      case .radio:
        (
          PackageResources.c_radio_c_template, PackageResources.c_radio_copy_h_template,
          PackageResources.c_radio_test_c_template, PackageResources.c_radio_readme_template
        )
      }
    var files = [
      File(path: "Makefile", text: text(PackageResources.c_Makefile_template)),
      File(path: "\(name).c", text: text(device)),
      File(path: "\(name).h", text: text(hardware)),
      File(path: "\(name)_test.c", text: text(test)),
      File(path: "stint_channel.h", text: text(PackageResources.c_channel_h_template)),
      File(path: "stint_ring.h", text: text(PackageResources.c_ring_h_template)),
      File(path: "stint_plugin.h", text: text(PackageResources.c_protocol_h_template)),
      File(path: ".gitignore", text: "\(name)\n\(name)_test\n"),
      File(path: "README.md", text: text(readme)),
    ]
    if kind == .radio {
      files.append(File(path: "stint_carrier.h", text: text(PackageResources.c_carrier_h_template)))
    }
    return files
  }

  private var pythonFiles: [File] {
    let (device, test, readme) =
      switch kind {
      case .sensor:
        (
          PackageResources.python_device_py_template, PackageResources.python_test_py_template,
          PackageResources.python_readme_template
        )
      case .chip:
        (
          PackageResources.python_chip_py_template, PackageResources.python_chip_test_py_template,
          PackageResources.python_chip_readme_template
        )
      case .source:
        (
          PackageResources.python_source_py_template, PackageResources.python_source_test_py_template,
          PackageResources.python_source_readme_template
        )
      case .radio:
        (
          PackageResources.python_radio_py_template, PackageResources.python_radio_test_py_template,
          PackageResources.python_radio_readme_template
        )
      }
    return [
      File(
        path: program, text: text(PackageResources.python_protocol_py_template) + "\n\n" + text(device),
        isProgram: true),
      File(path: "test_\(name).py", text: text(test)),
      File(path: ".gitignore", text: "__pycache__/\n"),
      File(path: "README.md", text: text(readme)),
    ]
  }

  /// The texts of the descriptor, the site file and the policy, before their marks are replaced.
  private var setup: (descriptor: [UInt8], site: [UInt8], policy: [UInt8]) {
    switch kind {
    case .sensor:
      (
        PackageResources.plugin_json_template, PackageResources.site_json_template,
        PackageResources.watch_stint_template
      )
    case .chip:
      (
        PackageResources.chip_plugin_json_template, PackageResources.chip_site_json_template,
        PackageResources.chip_watch_stint_template
      )
    case .source:
      (
        PackageResources.plugin_json_template, PackageResources.source_site_json_template,
        PackageResources.source_watch_stint_template
      )
    case .radio:
      (
        PackageResources.radio_plugin_json_template, PackageResources.radio_site_json_template,
        PackageResources.radio_watch_stint_template
      )
    }
  }

  private var manifestTexts: [String] {
    switch kind {
    case .sensor: [text(PackageResources.manifest_json_template)]
    case .source: [text(PackageResources.source_manifest_json_template)]
    case .radio: [text(PackageResources.radio_manifest_json_template)]
    case .chip:
      Self.sensors.map { sensor in
        text(PackageResources.chip_manifest_json_template)
          .replacing("@SENSOR@", by: sensor.name).replacing("@UNIT@", by: sensor.unit)
          .replacing("@POWER@", by: sensor.power)
      }
    }
  }

  /// Returns the manifests, the descriptor, the site file and the policy. The hash of a program that is not
  /// built yet consists of zeros.
  private func described(_ own: [File]) -> [File] {
    let described = zip(manifests, manifestTexts).map { File(path: $0, text: $1) }
    var hashes = [program: String(repeating: "0", count: 64)]
    for file in own + described {
      guard file.path.split(separator: "/").allSatisfy({ SealedFolder.belongs(String($0)) }) else { continue }
      hashes[file.path] = SHA256.hexadecimal(of: Array(file.text.utf8))
    }
    let files = hashes.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \"\($0.value)\"" }
    let descriptor = text(setup.descriptor)
      .replacing("@PROGRAM@", by: program)
      .replacing("@MANIFEST@", by: manifests[0])
      .replacing("@MANIFESTS@", by: manifests.map { "\"\($0)\"" }.joined(separator: ", "))
      .replacing("@FILES@", by: files.joined(separator: ",\n"))
    return described + [
      File(path: "plugin.json", text: descriptor),
      File(path: "site.json", text: text(setup.site)),
      File(path: "watch.stint", text: text(setup.policy)),
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
