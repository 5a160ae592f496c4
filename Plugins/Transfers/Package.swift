// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "Transfers",
  products: [
    .library(name: "Transfers", targets: ["Transfers"]),
    .executable(name: "stint-transfers", targets: ["stint-transfers"]),
  ],
  dependencies: [.package(name: "Stint", path: "../..")],
  targets: [
    // The part of libcurl's interface that the carrier uses. libcurl is loaded when the program runs, so no
    // headers and no link to the library are needed.
    .target(name: "CCurl", path: "Sources/CCurl", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "Transfers", dependencies: ["CCurl", .product(name: "StintPluginKit", package: "Stint")],
      path: ".",
      exclude: [
        "README.md", "Tests", "plugin.json", "Sources/CCurl", "Sources/Program",
      ], sources: ["Sources/Transfers"], resources: [.embedInCode("manifest.json")],
      swiftSettings: settings),
    // The Swift runtime library is linked statically, so that the sealed file is the whole program.
    .executableTarget(
      name: "stint-transfers",
      dependencies: ["Transfers", .product(name: "StintPluginKit", package: "Stint")],
      path: "Sources/Program", swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),
    .testTarget(
      name: "TransfersTests",
      dependencies: ["Transfers", .product(name: "StintPluginKit", package: "Stint")],
      path: "Tests", exclude: ["server.py", "transfers.py"], swiftSettings: settings),
  ]
)
