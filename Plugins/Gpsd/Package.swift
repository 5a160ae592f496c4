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
  name: "Gpsd",
  products: [.library(name: "Gpsd", targets: ["Gpsd"])],
  dependencies: [.package(name: "Stint", path: "../..")],
  targets: [
    .target(
      name: "Gpsd", dependencies: [.product(name: "StintPluginKit", package: "Stint")], path: ".",
      exclude: ["README.md", "Tests", "site.json"], sources: ["Sources"],
      resources: [.embedInCode("manifest.json")],
      swiftSettings: settings),
    .testTarget(
      name: "GpsdTests", dependencies: ["Gpsd", .product(name: "StintPluginKit", package: "Stint")],
      path: "Tests", exclude: ["Hardware", "Site"],
      // Stint builds these files as the module `StintGpsd`, because the module names of a build must be
      // unique. The tests import this name; here it means the module `Gpsd`.
      swiftSettings: settings + [.unsafeFlags(["-module-alias", "StintGpsd=Gpsd"])]),
  ]
)
