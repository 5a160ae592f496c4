import StintLanguage
import StintRuntime
import Testing

/// Errors in policy lines about services: each has a code and a position.
@Suite("Errors in policy lines about services") struct WrongWordTests {
  private static let cases: [(text: String, code: DiagnosticCode)] = [
    ("use location.cell as cell\nrule r always { watch visits on cell }", .boundNotSupported),
    ("use location.gnss as gps\nrule r always { watch moves on gps }", .boundNotSupported),
    ("use motion.accelerometer as accel\nrule r always { watch moves on accel }", .verbNotSupported),
    ("use location.wifi as wifi\nrule r always { watch orientation on wifi }", .badArguments),
    ("rule r always { start visits }", .badArguments),
    ("rule r always { start orientation for \"app\" }", .badArguments),
    ("rule r always { start orientation with { rate 5 Hz } }", .badArguments),
    ("rule r always { pause visits }", .unknownDevice),
    ("use location.gnss as gps\nrule r always { stop [gps, visits] }", .unknownDevice),
    ("use location.gnss as gps\nrule r while spread(gps) < 5 m { pause gps }", .badArguments),
    ("use location.gnss as gps\nrule r while spread(gps, 0 s) < 5 m { pause gps }", .outOfRange),
    ("use motion.accelerometer as a\nrule r while spread(a, 1 min) < 5 m { pause a }", .boundNotSupported),
    ("use radio.cellular as net\nrule r while heard(net) { stop net }", .boundNotSupported),
    ("use location.gnss as gps\nrule r while cheap(gps) { pause gps }", .boundNotSupported),
    ("use location.gnss as gps\nrule r while used_by(gps) { pause gps }", .badArguments),
    ("use location.gnss as gps\nrule r while used_by(gps, movess) { pause gps }", .unknownName),
    ("use location.gnss as gps\nrule r while unexplained(gps, gps) > 0 s { pause gps }", .badArguments),
    ("use radio.cellular as net\nrule r when net.batch_done { flush net }", .unknownFact),
    ("use location.gnss as gps\ndefault gps { filter 10 s }", .wrongUnit),
    ("use location.gnss as gps\ndefault gps { filter 0 m }", .outOfRange),
    ("use location.gnss as gps\ndefault gps { fuzz maybe }", .unknownWord),
    ("use location.gnss as gps\ndefault gps { heartbeat 15 min }", .unknownSetting),
    ("use location.wifi as wifi\ndefault wifi { heartbeat 5 s }", .outOfRange),
    ("use radio.cellular as net\ndefault net { session sync }", .typeMismatch),
    ("use radio.cellular as net\ndefault net { filter 10 m }", .unknownSetting),
    ("use radio.cellular as net\ndefault net { out_of_process maybe }", .unknownWord),
    ("use location.gnss as gps\ndefault gps { out_of_process on }", .unknownSetting),
    ("use radio.cellular as net\nrule r always { start net with { discretionary on } }", .unknownWord),
    ("use radio.cellular as net\nrule r always { start net with { session sync } }", .typeMismatch),
    ("use radio.cellular as net\nrule r always { start net with { cellular off } }", .unknownSetting),
    ("rule r always { start [radio.cellular, location.gnss] }", .badArguments),
    ("use radio.cellular as net\nrule r when app.ready { start net }", .missingEnding),
    ("use motion.accelerometer as a\nrule r always { start a with { mode poll } }", .unknownWord),
    (
      "use motion.accelerometer as a\nrule r always { start a with { mode pull  latency 5 s } }",
      .duplicateName
    ),
    ("use location.wifi as w\nrule r always { start w with { mode pull } }", .unknownSetting),
    ("default orientation { nested maybe }", .unknownWord),
    ("default orientation { linger 5 s }", .unknownSetting),
    ("default visits { heartbeat 15 min }", .badArguments),
    ("use location.wifi as w\nrule r when motion.activity is still { watch visits on w }", .missingEnding),
  ]

  @Test(
    "each wrong use of a word is reported with its code, at a position after the header", arguments: cases)
  func refused(text: String, code: DiagnosticCode) throws {
    let source = SourceText(file: "p", bytes: Array("policy \"p\" version 1\n\(text)\n".utf8))
    let loaded = PolicyLoader(vocabulary: try PolicyLines.vocabulary()).load([source])
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    #expect(loaded.program == nil)
    #expect(errors.map(\.code) == [code])
    let header = "policy \"p\" version 1\n".utf8.count
    #expect(errors.allSatisfy { $0.labels.first.map { $0.span.start >= header } == true })
  }
}
