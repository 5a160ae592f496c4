import StintJournal
import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@testable import StintRuntime

@Suite("Replay")
struct ReplayTests {
  private let temporaryFiles = TemporaryFiles()

  private func journal(_ policies: [String], limit: Int64? = nil) throws -> (
    path: String, report: SimulationReport
  ) {
    let path = temporaryFiles.path("journal")
    let request = SimulationRequest(
      policies: policies, scenario: try temporaryFiles.walk(), journal: path, journalLimit: limit)
    return (path, try SimulationRun(request).run().report)
  }

  @Test("a journal replays to the same decisions, byte for byte, and the replay reports their hash")
  func same() throws {
    let (path, report) = try journal([try temporaryFiles.policy()])
    let replay = try ReplayReport(journal: path)
    #expect(replay.decisions == report.decisions)
    #expect(replay.decisionLogHash == report.decisionLogHash)
    #expect(replay.energy == report.ledger.total)
    #expect(replay.loads == 1 && replay.otherImages == 0 && replay.isWhole && !replay.isTorn)
    #expect(replay.jsonText.contains("\"decision_log_sha256\":\"\(report.decisionLogHash)\""))
    #expect(replay.text().contains("all compared decisions were reproduced"))
  }

  @Test("a journal without policies can be replayed")
  func none() throws {
    let (path, report) = try journal([])
    #expect(try ReplayReport(journal: path).decisionLogHash == report.decisionLogHash)
  }

  @Test("a truncated journal is replayed up to its last complete record")
  func cuts() throws {
    let (path, report) = try journal([try temporaryFiles.policy()])
    let bytes = try FileText.read(path)
    for part in 1...7 {
      let cut = temporaryFiles.path("cut")
      let length = bytes.count * part / 8
      try FileText.write(Array(bytes[..<length]), to: cut)
      do {
        let replay = try ReplayReport(journal: cut)
        #expect(replay.decisions <= report.decisions)
      } catch {
        // The shortest parts end inside the first record (`JournalWorld`), because this record is long.
        #expect(part < 4 && "\(error)".contains("does not begin with the devices"), "\(part): \(error)")
      }
    }
  }

  @Test("a changed or missing decision is reported as a finding")
  func changed() throws {
    let (path, _) = try journal([try temporaryFiles.policy()])
    for isRemoved in [false, true] {
      var reader = try JournalReader(path: path)
      let other = temporaryFiles.path("other")
      let writer = try JournalWriter(creating: other)
      var count = 0
      while var record = try reader.next() {
        if record.kind == JournalRecorder.Kind.decision.rawValue {
          count += 1
          if count == 4 {
            if isRemoved { continue }
            record.payload[record.payload.count - 1] ^= 1
          }
        }
        try writer.append(record)
      }
      try writer.flush()
      let error = #expect(throws: Problem.self) { try ReplayReport(journal: other) }
      #expect(error?.isFinding == true)
      #expect(error?.cause.contains("decision") == true)
    }
  }

  @Test("after missing records, a replay compares no decisions and reports the period of the gap")
  func gap() throws {
    let (path, report) = try journal([try temporaryFiles.policy()])
    var reader = try JournalReader(path: path)
    let other = temporaryFiles.path("gap")
    let writer = try JournalWriter(creating: other)
    var count = 0
    var payload: [UInt8] = []
    while let record = try reader.next() {
      count += 1
      if count == 400 {
        for number in [Int64(7), record.instant.nanoseconds, record.instant.nanoseconds + 1_000_000_000] {
          withUnsafeBytes(of: number.littleEndian) { payload += $0 }
        }
        try writer.append(kind: JournalGap.kind, at: record.instant, payload)
      }
      if !(400..<407).contains(count) { try writer.append(record) }
    }
    try writer.flush()
    let replay = try ReplayReport(journal: other)
    #expect(replay.gaps.map(\.records) == [7])
    #expect(replay.unconfirmed > 0)
    #expect(!replay.isWhole)
    #expect(replay.decisions < report.decisions)
    #expect(replay.text().contains("7 records are missing from 08:0"))
    #expect(replay.jsonText.contains("\"gaps\":[{\"records\":7,"))
    let whatIf = try WhatIfReport(journal: other, candidate: try temporaryFiles.policy())
    #expect(whatIf.isFinding)
  }

  @Test("a file that is empty, invalid or of a newer format version is refused with a remedy")
  func refused() throws {
    let files = [
      ("empty", [UInt8]()), ("text", Array("policy \"x\" version 1".utf8)),
      ("later", Array("STINTJNL".utf8) + [99, 0, 0, 0, 0, 0, 0, 0]),
    ]
    for (name, bytes) in files {
      let path = temporaryFiles.path(name)
      try FileText.write(bytes, to: path)
      let error = #expect(throws: Problem.self, "\(name)") { try ReplayReport(journal: path) }
      #expect(error?.remedy.isEmpty == false)
    }
    #expect(throws: Problem.self) { try ReplayReport(journal: temporaryFiles.path("absent")) }
  }
}
