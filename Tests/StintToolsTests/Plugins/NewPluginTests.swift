import StintDaemon
import StintFormats
import StintJournal
import StintModel
import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct NewPluginTests {
  private func read(_ path: String) throws -> [UInt8] { try FileText.read(path) }

  @Test(
    "a new plugin has valid manifests and a valid sealed descriptor", arguments: PluginLanguage.allCases,
    PluginTemplateKind.allCases)
  func isWhole(language: PluginLanguage, kind: PluginTemplateKind) throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("soil_probe")
    let plugin = try NewPlugin(
      name: "soil_probe", language: language, kind: kind, folder: folder, stint: Repository.path("."))
    for file in plugin.files { #expect(Folder.entry(at: "\(folder)/\(file)") == .file, "\(file)") }
    let path = folder + "/plugin.json"
    let descriptor = try PluginDescriptorReader.descriptor(of: try read(path), source: path)
    let names = kind == .chip ? ["_accelerometer", "_gyroscope", "_magnetometer"] : [""]
    #expect(descriptor.manifests.count == names.count)
    for (path, name) in zip(descriptor.manifests, names) {
      let manifest = try read("\(folder)/\(path)")
      #expect(SHA256.hexadecimal(of: manifest) == descriptor.hash(of: path))
      let device = try ManifestReader.manifest(of: manifest, source: path).device
      #expect(device.path == "\(kind == .radio ? "radio" : "custom").soil_probe\(name)")
    }
    for file in plugin.files {
      let text = String(decoding: try read("\(folder)/\(file)"), as: UTF8.self)
      let marks = text.split(separator: "@", omittingEmptySubsequences: false).dropFirst().dropLast()
      #expect(!marks.contains { !$0.isEmpty && $0.allSatisfy(\.isUppercase) }, "\(file)")
    }
    if language == .python {
      #expect(Folder.isRunnable("\(folder)/soil_probe.py"))
      #expect(
        SHA256.hexadecimal(of: try read("\(folder)/soil_probe.py")) == descriptor.hash(of: "soil_probe.py"))
      #expect(
        descriptor.files.map(\.path)
          == (descriptor.manifests + ["soil_probe.py", "test_soil_probe.py"]).sorted())
    }
  }

  @Test(
    "sealing adds the hash of each visible file of the program, and keeps the other members of the descriptor"
  )
  func seal() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let before = try read(folder + "/plugin.json")
    #expect(try PluginSeal(folder).files.allSatisfy { !$0.isNew })
    #expect(try read(folder + "/plugin.json") == before)
    try FileText.write(Array("#!/usr/bin/env python3\n".utf8), to: folder + "/probe.py")
    try Folder.make(folder + "/lib/deep")
    try FileText.write(Array("x = 1\n".utf8), to: folder + "/lib/deep/more.py")
    try FileText.write(Array("{}".utf8), to: folder + "/lib/deep/.hidden")
    let seal = try PluginSeal(folder)
    #expect(seal.files.filter(\.isNew).map(\.path) == ["lib/deep/more.py", "probe.py"])
    let old = try PluginDescriptorReader.descriptor(of: before, source: "plugin.json")
    var new = try PluginDescriptorReader.descriptor(
      of: try read(folder + "/plugin.json"), source: "plugin.json")
    #expect(new.files.map(\.path) == ["lib/deep/more.py", "manifest.json", "probe.py", "test_probe.py"])
    #expect(new.hash(of: "probe.py") == seal.files.first { $0.path == "probe.py" }?.hash)
    new.files = old.files
    #expect(new == old)
    #expect(throws: Problem.self) { try PluginSeal(temporaryFiles.path("nowhere")) }
  }

  @Test(
    "a missing file is removed from the seal, and a hidden file that the descriptor already lists stays"
  )
  func goneAndNamed() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    try FileText.write([1, 2], to: folder + "/.calibration")
    let path = folder + "/plugin.json"
    let text = String(decoding: try read(path), as: UTF8.self)
    let named = text.replacingFirst("\"files\": {", by: "\"files\": {\".calibration\": \"\",")
    try FileText.write(Array(named.utf8), to: path)
    #expect(try PluginSeal(folder).files.contains { $0.path == ".calibration" && $0.isNew })
    #expect(unlink(folder + "/test_probe.py") == 0)
    #expect(try PluginSeal(folder).gone == ["test_probe.py"])
    let descriptor = try PluginDescriptorReader.descriptor(of: try read(path), source: path)
    #expect(descriptor.files.map(\.path) == [".calibration", "manifest.json", "probe.py"])
  }

  @Test(
    "a seal contains no files that are not part of the program, such as backups, caches, logs and READMEs"
  )
  func strayFiles() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    try Folder.make(folder + "/__pycache__")
    let strays = [
      ".probe.py.swp", "probe.py~", "#probe.py#", "probe.py.bak", "probe.py.orig", "run.log", "nohup.out",
      "my-site.json", "day.journal", "LICENSE", "README",
      "probe.pyc", "probe.pid", "__pycache__/probe.cpython-312.pyc",
    ]
    for name in strays { try FileText.write([1], to: "\(folder)/\(name)") }
    #expect(try PluginSeal(folder).files.map(\.path) == ["manifest.json", "probe.py", "test_probe.py"])
  }

  @Test("a seal follows no link out of the folder, and names the files that it leaves out")
  func links() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let secret = try temporaryFiles.file("secret", "secret\n")
    let outer = temporaryFiles.path("outer")
    try Folder.make(outer)
    try FileText.write(Array("key\n".utf8), to: outer + "/key")
    #expect(symlink(secret, folder + "/data") == 0)
    #expect(symlink(outer, folder + "/lib") == 0)
    #expect(symlink("probe.py", folder + "/inside") == 0)
    #expect(symlink("nowhere", folder + "/broken") == 0)
    #expect(symlink(".", folder + "/loop") == 0)
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    try FileText.write([1], to: folder + "/turned\u{202E}name")
    let seal = try PluginSeal(folder)
    #expect(seal.files.map(\.path).contains("inside"))
    #expect(!seal.text.contains(SHA256.hexadecimal(of: Array("secret\n".utf8))))
    #expect(!seal.files.contains { $0.path == "data" || $0.path.hasPrefix("lib") })
    let outside = "it is a link that leads out of the folder"
    #expect(seal.skipped.filter { $0.reason == outside }.map(\.path) == ["data", "lib"])
    #expect(seal.skipped.first { $0.path == "loop" }?.reason == "it is a link to a folder that contains it")
    #expect(seal.skipped.map(\.path).contains("README.md"))
    #expect(
      seal.skipped.filter { $0.reason == "it is a pipe, a socket, a device or a broken link" }.map(\.path)
        == ["broken", "pipe"])
    #expect(seal.text.contains("turned\\u{202E}name: sealed"))

    let other = try temporaryFiles.file("other.py", "#!/bin/sh\n")
    #expect(unlink(folder + "/probe.py") == 0)
    #expect(symlink(other, folder + "/probe.py") == 0)
    let before = try read(folder + "/plugin.json")
    let error = #expect(throws: Problem.self) { try PluginSeal(folder) }
    #expect(error?.cause.contains("leads out of the plugin's folder") == true, "\(String(describing: error))")
    #expect(try read(folder + "/plugin.json") == before)

    // The descriptor also must not be such a link, because sealing writes to the descriptor.
    let moved = temporaryFiles.path("moved.json")
    #expect(rename(folder + "/plugin.json", moved) == 0)
    #expect(symlink(moved, folder + "/plugin.json") == 0)
    #expect(unlink(folder + "/probe.py") == 0)
    try FileText.write(Array("#!/bin/sh\n".utf8), to: folder + "/probe.py")
    let refusal = #expect(throws: Problem.self) { try PluginSeal(folder) }
    #expect(refusal?.place.description == folder + "/plugin.json")
    #expect(try read(moved) == before)
  }

  @Test("a plugin with an invalid manifest is not sealed, and its descriptor is unchanged")
  func invalidManifest() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let (path, manifest) = (folder + "/plugin.json", folder + "/manifest.json")
    let (before, text) = (try read(path), String(decoding: try read(manifest), as: UTF8.self))
    for (old, new, cause) in [
      ("{", "[", "expected"), ("\"safe\": \"off\"", "\"safe\": \"gone\"", "gone"),
    ] {
      try FileText.write(Array(text.replacingFirst(old, by: new).utf8), to: manifest)
      let problem = #expect(throws: Problem.self) { try PluginSeal(folder) }
      #expect(problem?.description.contains(cause) == true, "\(String(describing: problem))")
      #expect(problem?.all.allSatisfy { $0.place.name == manifest } == true)
      #expect(try read(path) == before)
    }
  }

  @Test(
    "an out-of-process plugin with a device of kind `processor` is refused when sealed, checked and run",
    arguments: ["processor"])
  func onlyLinked(kind: String) throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let (path, manifest) = (folder + "/plugin.json", folder + "/manifest.json")
    let hash = SHA256.hexadecimal(of: try read(manifest))
    let other = Self.manifest(kind: kind)
    try FileText.write(Array(other.utf8), to: manifest)
    let descriptor = String(decoding: try read(path), as: UTF8.self)
    let cause = "custom.probe is a \(kind), which only a linked plugin can be"
    func refused(_ body: () throws -> Void) {
      let problem = #expect(throws: Problem.self) { try body() }
      #expect(problem?.cause == cause && problem?.code == .kind, "\(String(describing: problem))")
    }
    refused { _ = try PluginSeal(folder) }
    let sealed = descriptor.replacingFirst(hash, by: SHA256.hexadecimal(of: Array(other.utf8)))
    try FileText.write(Array(sealed.utf8), to: path)
    refused { _ = try PluginProgramCheck.run(folder) }
    let site = #"""
      {"stint_site": 1, "title": "t", "plugins": [{"process": "\#(path)", "allow": ["/proc/loadavg"]}],
       "clients": []}
      """#
    var daemon = DaemonOptions(policies: try temporaryFiles.policy())
    daemon.ownsProcess = false
    let request = LiveRequest(daemon, devices: .site(try temporaryFiles.file("site.json", site)))
    refused { _ = try LiveRun(request, output: LiveRun.RunOutput(decision: { _ in }, log: { _ in })) }
  }

  private static func manifest(kind: String) -> String {
    #"""
    {"stint_manifest": 1, "device": "custom.probe", "kind": "\#(kind)", "title": "probe", "vendor": "example",
     "states": [{"name": "off", "power": "0 W", "on": false}, {"name": "on", "power": "1 mW", "on": true}],
     "transitions": [["off", "on"], ["on", "off"]], "initial": "off", "safe": "off", "verbs": ["start", "stop"]}
    """#
  }

  @Test("a descriptor in the old format, with two hashes, is reported with a remedy, and sealing replaces it")
  func oldSeal() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .python, folder: folder)
    let path = folder + "/plugin.json"
    let text = String(decoding: try read(path), as: UTF8.self)
    let hash = String(repeating: "0a", count: 32)
    let old = text.replacingFirst(
      "\"files\"", by: "\"program_sha256\": \"\(hash)\", \"manifest_sha256\": \"\(hash)\", \"old\"")
    try FileText.write(Array(old.replacingFirst("\"old\"", by: "\"files\"").utf8), to: path)
    let error = #expect(throws: Problem.self) {
      try PluginDescriptorReader.descriptor(of: try read(path), source: path)
    }
    let advice = error?.all.map(\.description) ?? []
    #expect(advice.contains { $0.contains("stint plugin seal DIR") }, "\(advice)")
    _ = try PluginSeal(folder)
    #expect(try PluginDescriptorReader.descriptor(of: try read(path), source: path).files.count == 3)
  }

  @Test(
    "wrong input: invalid and reserved names are refused, and nothing is written",
    arguments: ["", "Soil", "1st", "soil-probe", "_x", "sörl", String(repeating: "a", count: 41), "import"])
  func names(name: String) {
    let temporaryFiles = TemporaryFiles()
    #expect(throws: Problem.self) {
      try NewPlugin(name: name, language: .python, folder: temporaryFiles.path("new"))
    }
    #expect(Folder.entry(at: temporaryFiles.path("new")) == .nothing)
  }

  @Test("wrong input: an existing file is not overwritten, and a folder without the Stint package is refused")
  func refusals() throws {
    let temporaryFiles = TemporaryFiles()
    let folder = temporaryFiles.path("probe")
    _ = try NewPlugin(name: "probe", language: .c, folder: folder)
    try FileText.write([], to: folder + "/probe.c")
    #expect(throws: Problem.self) { try NewPlugin(name: "probe", language: .c, folder: folder) }
    #expect(try read(folder + "/probe.c").isEmpty)
    #expect(throws: Problem.self) {
      try NewPlugin(name: "probe", language: .swift, folder: temporaryFiles.path("other"), stint: folder)
    }
  }

  @Test(
    "the Python template has the protocol code of the example, and the C templates equal the shipped headers"
  )
  func isOneProtocol() throws {
    let example = String(
      decoding: try read(Repository.path("Plugins/Thermometer/thermometer.py")), as: UTF8.self)
    let template = String(
      decoding: PackageResources.python_protocol_py_template + Array("\n\n".utf8)
        + PackageResources.python_device_py_template, as: UTF8.self)
    func generic(_ text: String) -> Substring? {
      guard let begin = text.firstRange(of: "import json"), let end = text.firstRange(of: "(Plugin):")
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

extension String {
  fileprivate func replacingFirst(_ mark: String, by text: String) -> String {
    guard let place = firstRange(of: mark) else { return self }
    return self[..<place.lowerBound] + text + self[place.upperBound...]
  }
}
