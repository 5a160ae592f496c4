// swift-tools-version: 6.3
import PackageDescription

/// The checks of the repository: `.ci/run` and `.ci/long` start them.
let package = Package(
  name: "checks",
  targets: [
    .executableTarget(
      name: "checks",
      swiftSettings: [
        .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
