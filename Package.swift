// swift-tools-version: 6.3
import PackageDescription

/// The common settings of all targets: Swift 6, warnings are errors, imports are internal by default.
let everywhere: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The settings of the core modules: strict memory safety, so no pointers and no unsafe calls.
let core: [SwiftSetting] = everywhere + [.strictMemorySafety()]

/// Selects the tests in the package, from `STINT_TESTS`.
///
/// By default, the package contains the unit tests of the modules; they use internal declarations and so need
/// a debug build. `acceptance` selects the acceptance tests, which use only public and package declarations
/// and run on the release build. `fuzz` and `images` select a program (`fuzz-stages` or `turn-images`) with
/// the stages in Tests/Fuzz.
let tests = Context.environment["STINT_TESTS"] ?? "modules"
let onlyAcceptance = tests == "acceptance"

let package = Package(
  name: "Stint",
  products: [
    .library(name: "Stint", targets: ["Stint", "StintServices", "StintUnits"]),
    // The only product that a plugin imports.
    .library(
      name: "StintPluginKit", targets: ["StintUnits", "StintModel", "StintFormats", "StintPluginKit"]),
    // The simulated phone, for tests of apps and plugins.
    .library(name: "StintSimulation", targets: ["StintSimulation"]),
    // Devices of Linux for apps: gpsd, industrial I/O sensors, batteries.
    .library(name: "StintDevices", targets: ["StintGpsd", "StintIIO", "StintPowerSupply"]),
    // For plugins that use services on a message bus.
    .library(name: "StintDBus", targets: ["StintDBus"]),
    .executable(name: "stint", targets: ["StintMain"]),
    // Benchmarks, swarms, contests and kills: test equipment, not for operators.
    .executable(name: "stint-lab", targets: ["StintLabMain"]),
  ],
  targets: [
    // MARK: Level 1: values
    .target(name: "StintUnits", swiftSettings: core),
    .target(name: "StintModel", dependencies: ["StintUnits"], swiftSettings: core),

    // MARK: Level 2: the pure core
    .target(name: "StintLanguage", dependencies: ["StintUnits", "StintModel"], swiftSettings: core),
    // For authors of policies. Apps that embed Stint do not compile it.
    .target(
      name: "StintAuthoring", dependencies: ["StintUnits", "StintModel", "StintLanguage"],
      resources: [.embedInCode("Diagnostics/Pages")], swiftSettings: core),
    .target(name: "StintMachine", dependencies: ["StintUnits", "StintModel"], swiftSettings: core),
    .target(
      name: "StintCompiler", dependencies: ["StintUnits", "StintModel", "StintLanguage", "StintMachine"],
      swiftSettings: core),
    .target(name: "StintEstimation", dependencies: ["StintUnits", "StintModel"], swiftSettings: core),
    .target(
      name: "StintGovernor", dependencies: ["StintUnits", "StintModel", "StintMachine", "StintEstimation"],
      swiftSettings: core),
    .target(name: "StintServices", dependencies: ["StintUnits", "StintModel"], swiftSettings: core),
    .target(name: "StintBus", dependencies: ["StintUnits", "StintModel"], swiftSettings: core),

    // MARK: Level 3: input and output
    // The C library of the platform under one name.
    .target(name: "StintSystem", swiftSettings: everywhere),
    .target(
      name: "StintFormats", dependencies: ["StintUnits", "StintModel", "StintSystem"],
      resources: [.embedInCode("Classes")],
      swiftSettings: everywhere),
    // Recorded tracks and streams, for simulations.
    .target(
      name: "StintTracks", dependencies: ["StintUnits", "StintModel", "StintSystem", "StintFormats"],
      swiftSettings: everywhere),
    // The CRC-32C instruction, which Swift does not expose.
    .target(name: "CStintChecks"),
    .target(
      name: "StintJournal", dependencies: ["StintUnits", "StintModel", "StintSystem", "CStintChecks"],
      swiftSettings: everywhere),
    // The plugin protocol for plugins in C; PROTOCOL.md describes it.
    .target(name: "CStintPlugin", exclude: ["PROTOCOL.md"]),
    .target(
      name: "StintPluginKit", dependencies: ["StintUnits", "StintModel", "StintSystem", "StintFormats"],
      swiftSettings: everywhere),
    // Loads libsystemd when a message bus is used; the program does not link against it.
    .target(
      name: "StintDBus", dependencies: ["StintUnits", "StintModel", "StintSystem", "StintPluginKit"],
      swiftSettings: everywhere),
    // C code for the child between `fork` and `exec`. Swift code must not run there.
    .target(name: "CStintProcess"),
    // A timer that reports when the wall clock is set. It is written in C, because Swift's module of the C
    // library lacks the header of this timer.
    .target(name: "CStintRuntime"),
    .target(
      name: "StintPluginHost",
      dependencies: [
        "StintUnits", "StintModel", "StintSystem", "StintPluginKit", "StintBus", "CStintPlugin",
        "CStintProcess",
      ],
      swiftSettings: everywhere),

    // MARK: Level 3: plugins for real hardware, for the program and the product StintDevices
    .target(
      name: "StintGpsd", dependencies: ["StintUnits", "StintModel", "StintFormats", "StintPluginKit"],
      path: "Plugins/Gpsd", exclude: ["Package.swift", "README.md", "Tests", "site.json"],
      sources: ["Sources"], resources: [.embedInCode("manifest.json")], swiftSettings: everywhere),
    .target(
      name: "StintIIO", dependencies: ["StintUnits", "StintModel", "StintFormats", "StintPluginKit"],
      path: "Plugins/IIO", exclude: ["Package.swift", "README.md", "Tests", "site.json"],
      sources: ["Sources"], resources: [.embedInCode("Manifests")], swiftSettings: everywhere),
    .target(
      name: "StintPowerSupply",
      dependencies: ["StintUnits", "StintModel", "StintFormats", "StintPluginKit", "StintDBus"],
      path: "Plugins/PowerSupply", exclude: ["Package.swift", "README.md", "Tests"], sources: ["Sources"],
      resources: [.embedInCode("manifest.json")], swiftSettings: everywhere),

    // MARK: Level 4: composition
    .target(
      name: "StintSimulation",
      dependencies: [
        "StintUnits", "StintModel", "StintServices", "StintPluginKit", "StintFormats", "StintTracks",
      ],
      resources: [.embedInCode("Resources")],
      swiftSettings: everywhere),
    .target(
      name: "StintRuntime",
      dependencies: [
        "StintUnits", "StintModel", "StintSystem", "StintLanguage", "StintMachine", "StintCompiler",
        "StintGovernor",
        "StintServices", "StintBus",
        "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost", "CStintRuntime",
      ],
      swiftSettings: everywhere),
    // Replays journals. Apps that embed Stint do not compile it.
    .target(
      name: "StintReplay",
      dependencies: [
        "StintUnits", "StintModel", "StintLanguage", "StintGovernor", "StintServices", "StintFormats",
        "StintJournal", "StintRuntime",
      ],
      swiftSettings: everywhere),
    .target(
      name: "StintDaemon",
      dependencies: [
        "StintUnits", "StintModel", "StintSystem", "StintLanguage", "StintGovernor", "StintServices",
        "StintBus",
        "StintFormats",
        "StintJournal", "StintPluginKit", "StintPluginHost", "StintRuntime",
      ],
      swiftSettings: everywhere),

    .target(
      name: "Stint",
      dependencies: [
        "StintUnits", "StintModel", "StintLanguage", "StintEstimation", "StintGovernor", "StintServices",
        "StintBus",
        "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost", "StintRuntime", "StintDaemon",
      ],
      swiftSettings: everywhere),

    // MARK: Level 5: user interfaces
    .target(
      name: "StintTools",
      dependencies: [
        "StintUnits", "StintModel", "StintSystem", "StintLanguage", "StintMachine", "StintCompiler",
        "StintGovernor",
        "StintBus",
        "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost", "StintRuntime",
        "StintServices", "StintSimulation", "StintDaemon", "StintAuthoring", "StintTracks", "StintReplay",
      ],
      resources: [.embedInCode("Plugins/Templates"), .embedInCode("Reports/Page/Resources")],
      swiftSettings: everywhere),
    .target(
      name: "StintLanguageServer",
      dependencies: ["StintUnits", "StintModel", "StintLanguage", "StintAuthoring", "StintFormats"],
      swiftSettings: everywhere),
    .target(
      name: "StintCommands",
      dependencies: [
        "StintUnits", "StintModel", "StintSystem", "StintFormats", "StintLanguage", "StintLanguageServer",
        "StintPluginKit",
        "StintRuntime", "StintDaemon", "StintTools",
      ],
      swiftSettings: everywhere),
    // The Swift runtime library is linked statically, so that the daemon is small, starts fast and needs no
    // toolchain.
    .executableTarget(
      name: "StintMain", dependencies: ["StintCommands", "StintGpsd", "StintIIO", "StintPowerSupply"],
      swiftSettings: everywhere,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),

    // MARK: Level 6: the test equipment
    .target(name: "CStintEscapes", path: "Tests/Lab/CStintEscapes"),
    .target(
      name: "StintLab",
      dependencies: [
        "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler", "StintGovernor",
        "StintBus", "StintFormats", "StintJournal", "StintPluginKit", "StintPluginHost", "StintRuntime",
        "StintServices", "StintSimulation", "StintDaemon", "StintTools", "StintCommands", "Stint",
        "StintTracks", "StintReplay", "StintTestSupport",
        "CStintEscapes",
      ],
      path: "Tests/Lab/StintLab", swiftSettings: everywhere),
    .executableTarget(
      name: "StintLabMain", dependencies: ["StintLab"], path: "Tests/Lab/StintLabMain",
      swiftSettings: everywhere,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),

    // MARK: Tests
    .target(
      name: "StintTestSupport",
      dependencies: [
        "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler", "StintGovernor",
        "StintPluginKit", "StintPluginHost", "StintRuntime",
      ],
      path: "Tests/Lab/StintTestSupport",
      swiftSettings: everywhere),
  ]
    + (tests == "fuzz" || tests == "images"
      ? [stages(tests == "fuzz" ? "fuzz-stages" : "turn-images", tests == "fuzz" ? "FUZZING" : "TURNING")]
      : onlyAcceptance
        ? [
          // The numbered behaviours on the simulated phone in virtual time, and tests that need a fast build.
          .testTarget(
            name: "AcceptanceTests",
            dependencies: [
              "Stint", "StintUnits", "StintModel", "StintMachine", "StintGovernor", "StintServices",
              "StintLanguage", "StintPluginKit", "StintPluginHost", "StintFormats", "StintSimulation",
              "StintRuntime", "StintDaemon", "StintTools", "StintTestSupport",
            ],
            // The tests themselves are not optimized: most of their time is spent in the tested code, and the
            // optimizer of Swift 6.3.1 crashes on one of them.
            swiftSettings: everywhere + [.unsafeFlags(["-Onone"])])
        ]
        : [
          "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler",
          "StintEstimation", "StintGovernor", "StintServices", "StintBus",
          "StintFormats", "StintTracks", "StintJournal", "StintPluginKit", "StintDBus", "StintPluginHost",
          "StintSimulation", "StintRuntime", "StintDaemon",
          "StintTools", "StintLanguageServer", "StintCommands", "StintLab",
        ].map { module in
          .testTarget(
            name: module + "Tests",
            dependencies: [.init(stringLiteral: module), "StintTestSupport"] + testNeeds[module, default: []],
            // A plugin in C that a test compiles.
            exclude: module == "StintPluginHost" ? ["Held/holder.c", "Library/pair.c"] : [],
            swiftSettings: everywhere)
        } + [
          .testTarget(name: "TidyTests", exclude: ["Words"], swiftSettings: everywhere),
          .testTarget(
            name: "StintGpsdTests",
            dependencies: [
              "StintGpsd", "StintUnits", "StintModel", "StintFormats", "StintPluginKit", "StintRuntime",
            ],
            path: "Plugins/Gpsd/Tests", exclude: ["Hardware"], swiftSettings: everywhere),
          .testTarget(
            name: "StintIIOTests",
            dependencies: ["StintIIO", "StintUnits", "StintModel", "StintPluginKit"],
            path: "Plugins/IIO/Tests", exclude: ["Hardware"], swiftSettings: everywhere),
          .testTarget(
            name: "StintPowerSupplyTests",
            dependencies: [
              "StintPowerSupply", "StintUnits", "StintModel", "StintPluginKit", "StintDBus",
            ],
            path: "Plugins/PowerSupply/Tests", exclude: ["Hardware"], swiftSettings: everywhere),
          // The stages of the fuzzers of `.ci/long fuzz`, run on inputs that once caused a failure.
          .testTarget(
            name: "FuzzTests", dependencies: stageNeeds + ["StintRuntime"],
            path: "Tests/Fuzz", exclude: ["Crashes", "Seeds"], swiftSettings: everywhere),
        ])
)

/// The modules that the stages in Tests/Fuzz need.
nonisolated var stageNeeds: [Target.Dependency] {
  [
    "StintUnits", "StintModel", "StintLanguage", "StintMachine", "StintCompiler", "StintGovernor",
    "StintFormats", "StintServices", "StintSimulation", "StintLanguageServer", "StintPluginKit",
    "StintPluginHost", "StintAuthoring", "StintTracks", "StintTestSupport",
  ]
}

/// Returns a program that passes inputs to the stages in Tests/Fuzz. The inputs are damaged images, or come
/// from a fuzzer with its own `main`.
nonisolated func stages(_ name: String, _ condition: String) -> Target {
  .executableTarget(
    name: name, dependencies: stageNeeds, path: "Tests/Fuzz", exclude: ["Crashes", "Seeds", "Images"],
    swiftSettings: everywhere + [.define(condition), .unsafeFlags(["-parse-as-library"])])
}

/// The dependencies of a test target in addition to the module under test.
var testNeeds: [String: [Target.Dependency]] {
  let values: [Target.Dependency] = ["StintUnits", "StintModel"]
  return [
    "StintModel": ["StintUnits"],
    "StintLanguage": values + ["StintAuthoring", "StintRuntime", "StintFormats"],
    "StintMachine": values,
    "StintCompiler": values + ["StintLanguage", "StintMachine"],
    "StintEstimation": values,
    "StintGovernor": values + ["StintLanguage", "StintAuthoring", "StintMachine", "StintCompiler"],
    "StintServices": values + ["StintFormats"],
    "StintBus": values,
    "StintFormats": values + ["StintServices"],
    "StintTracks": values + ["StintSystem"],
    "StintJournal": values,
    "StintPluginKit": values + ["CStintPlugin"],
    "StintDBus": values + ["StintPluginKit", "StintRuntime"],
    "StintPluginHost": values + [
      "StintLanguage", "StintMachine", "StintGovernor", "StintPluginKit", "StintBus", "StintFormats",
      "StintRuntime",
    ],
    "StintSimulation": values + ["StintServices", "StintPluginKit", "StintFormats", "StintTracks"],
    "StintRuntime": values + [
      "Stint", "StintLanguage", "StintMachine", "StintGovernor", "StintPluginKit", "StintPluginHost",
      "StintSimulation", "StintFormats", "StintJournal", "StintServices", "StintReplay",
    ],
    "StintDaemon": values + [
      "StintLanguage", "StintMachine", "StintGovernor", "StintServices", "StintFormats", "StintPluginKit",
      "StintPluginHost", "StintRuntime",
    ],
    "StintTools": values + [
      "StintLanguage", "StintMachine", "StintCompiler", "StintRuntime", "StintSimulation", "StintGovernor",
      "StintFormats", "StintJournal", "StintServices", "StintDaemon", "StintAuthoring", "StintReplay",
    ],
    "StintLanguageServer": values + ["StintLanguage", "StintAuthoring", "StintFormats", "StintSimulation"],
    "StintCommands": values + [
      "StintLanguage", "StintFormats", "StintJournal", "StintRuntime", "StintTools",
    ],
    "StintLab": values + [
      "StintTools", "StintDaemon", "StintRuntime", "StintGovernor", "StintSimulation", "StintServices",
      "StintFormats",
    ],
  ]
}
