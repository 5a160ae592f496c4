// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The location of the package Stint: the root of this repository, or a repository at a `file://` URL with a
/// revision.
let stint: Package.Dependency =
  if let url = Context.environment["STINT_URL"], let revision = Context.environment["STINT_REVISION"] {
    .package(url: url, revision: revision)
  } else {
    .package(name: "stint", path: "../..")
  }

/// An app in a separate package. It uses only the products of Stint, as every embedding app does.
let package = Package(
  name: "Embedding",
  dependencies: [stint],
  targets: [
    .executableTarget(
      name: "Trail",
      dependencies: [.product(name: "Stint", package: "stint")],
      path: "Trail", swiftSettings: settings),
    .testTarget(
      name: "EmbeddingTests",
      dependencies: [
        .product(name: "Stint", package: "stint"), .product(name: "StintSimulation", package: "stint"),
        // The program `stint`, with which the tests run scenario files.
        .product(name: "stint", package: "stint"),
      ],
      path: "Tests", swiftSettings: settings),
  ]
)
