import StintFormats
import StintModel
import Testing

@testable import StintTools

@Suite("Verdicts of plugin check") struct ProgramVerdictsTests {
  private let gyroscope = Manifest(device: "motion.gyro", kind: .sensor, title: "")

  @Test("each essential check of a class is a check of `stint plugin check`")
  func essential() {
    let names = Set(ProgramCheck.allCases.map { "\($0)" })
    for item in DeviceClassReader.all {
      #expect(!item.essential.isEmpty && names.isSuperset(of: item.essential), "\(item.name)")
    }
  }

  @Test("a plugin conforms when all essential checks of its classes were tried and no check failed")
  func conforms() {
    var verdicts = ProgramVerdicts(gyroscope)
    #expect(verdicts.classes.map(\.name) == ["motion.gyro", "sensor"])
    #expect(!verdicts.conforms && verdicts.tried == 0)
    verdicts.keep(
      .starts, .offByDefault, .answers, .turnsOn, .silentWhenOff, .honest, .closes, .ascending, .prompt)
    verdicts.skip(.rate, "no sample arrived")
    #expect(verdicts.missing == [.rate] && verdicts.broken == [] && !verdicts.conforms)
    #expect(
      verdicts.text.contains(
        "class motion.gyro, sensor: 9 of \(ProgramCheck.allCases.count) checks were tried; "))
    #expect(verdicts.text.hasSuffix("1 essential check was not tried"))
    #expect(
      verdicts.text.contains("missing  \(ProgramCheck.rate.rawValue): not tried, although its class requires")
    )
    #expect(verdicts.jsonText.contains(#""tried":9,"missing":["rate"],"#))
    verdicts.keep(.rate)
    #expect(verdicts.conforms && verdicts.text.hasSuffix("no check failed"))
    verdicts.fail(.holds, "")
    #expect(!verdicts.conforms && verdicts.text.hasSuffix("1 check failed"))
  }

  @Test("a device without a special class needs the checks of its kind only")
  func kinds() {
    #expect(
      ProgramVerdicts(Manifest(device: "a.b", kind: .sensor, title: "")).classes.map(\.name) == ["sensor"])
    #expect(
      ProgramVerdicts(Manifest(device: "a.b", kind: .radio, title: "")).classes.map(\.name) == ["radio"])
    #expect(ProgramVerdicts(Manifest(device: "a.b", kind: .processor, title: "")).classes.isEmpty)
  }
}
