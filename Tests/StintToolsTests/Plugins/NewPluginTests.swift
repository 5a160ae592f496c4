import StintFormats
import StintJournal
import StintModel
import StintRuntime
import StintTestSupport
import Testing

@testable import StintTools

@Suite struct NewPluginTests {
  private func read(_ path: String) throws -> [UInt8] { try FileText.read(path) }

  @Test(
    "a new plugin has a manifest and a sealed descriptor that can be read", arguments: PluginLanguage.allCases
  )
  func isWhole(language: PluginLanguage) throws {
    let workshop = Workshop()
    let folder = workshop.path("soil_probe")
    let plugin = try NewPlugin(
      name: "soil_probe", language: language, folder: folder, stint: Repository.path("."))
    for file in plugin.files { #expect(Folder.entry(at: "\(folder)/\(file)") == .file, "\(file)") }
    let path = folder + "/plugin.json"
    let descriptor = try PluginDescriptorReader.descriptor(of: try read(path), source: path)
    let manifest = try read("\(folder)/\(descriptor.manifest)")
    #expect(SHA256.hexadecimal(of: manifest) == descriptor.manifestHash)
    #expect(try ManifestReader.manifest(of: manifest, source: "m").device == "custom.soil_probe")
    for file in plugin.files {
      let text = String(decoding: try read("\(folder)/\(file)"), as: UTF8.self)
      #expect(!text.contains("@NAME@") && !text.contains("@STINT@"), "\(file)")
    }
    if language == .python {
      #expect(Folder.isRunnable("\(folder)/soil_probe.py"))
      #expect(SHA256.hexadecimal(of: try read("\(folder)/soil_probe.py")) == descriptor.programHash)
    }
  }

  @Test("a seal is brought up to date, and nothing else of the descriptor is touched")
  func seal() throws {
    let workshop = Workshop()
    let folder = workshop.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let before = try read(folder + "/plugin.json")
    #expect(try PluginSeal(folder).files.allSatisfy { !$0.isNew })
    #expect(try read(folder + "/plugin.json") == before)
    try FileText.write(Array("#!/usr/bin/env python3\n".utf8), to: folder + "/probe.py")
    let seal = try PluginSeal(folder)
    #expect(seal.files.map(\.isNew) == [true, false])
    let after = try read(folder + "/plugin.json")
    #expect(after.count == before.count)
    #expect(zip(before, after).count { $0 != $1 } <= 64)
    let descriptor = try PluginDescriptorReader.descriptor(of: after, source: "plugin.json")
    #expect(descriptor.programHash == seal.files[0].hash)
    #expect(throws: ToolError.self) { try PluginSeal(workshop.path("nowhere")) }
  }

  @Test(
    "wrong input: names that cannot be, and folders that are there",
    arguments: ["", "Soil", "1st", "soil-probe", "_x", "sörl", String(repeating: "a", count: 41), "import"])
  func names(name: String) {
    let workshop = Workshop()
    #expect(throws: ToolError.self) {
      try NewPlugin(name: name, language: .python, folder: workshop.path("new"))
    }
    #expect(Folder.entry(at: workshop.path("new")) == .nothing)
  }

  @Test("wrong input: nothing that is there is overwritten, and a package of Stint that is none is refused")
  func refusals() throws {
    let workshop = Workshop()
    let folder = workshop.path("probe")
    _ = try NewPlugin(name: "probe", language: .c, folder: folder)
    try FileText.write([], to: folder + "/probe.c")
    #expect(throws: ToolError.self) { try NewPlugin(name: "probe", language: .c, folder: folder) }
    #expect(try read(folder + "/probe.c").isEmpty)
    #expect(throws: ToolError.self) {
      try NewPlugin(name: "probe", language: .swift, folder: workshop.path("other"), stint: folder)
    }
  }

  @Test("what speaks the protocol is the same in the template, the example and the header")
  func isOneProtocol() throws {
    let example = String(
      decoding: try read(Repository.path("Plugins/Thermometer/thermometer.py")), as: UTF8.self)
    let template = String(decoding: PackageResources.python_device_py_template, as: UTF8.self)
    func generic(_ text: String) -> Substring? {
      guard let begin = text.firstRange(of: "import os"), let end = text.firstRange(of: "(Plugin):")
      else { return nil }
      let body = text[begin.lowerBound..<end.lowerBound]
      return body.lastIndex(of: "\n").map { body[..<$0] }
    }
    #expect(generic(example) != nil)
    #expect(generic(example) == generic(template))
    #expect(
      try read(Repository.path("Sources/CStintPlugin/include/stint_plugin.h"))
        == PackageResources.c_protocol_h_template)
    #expect(
      try read(Repository.path("Sources/CStintPlugin/include/stint_ring.h"))
        == PackageResources.c_ring_h_template)
  }
}
