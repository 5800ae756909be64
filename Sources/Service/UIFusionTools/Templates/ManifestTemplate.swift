extension PackageTemplate {
  /// `Package.swift`.
  var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // Where UIFusion is; the Makefile and the Dockerfile may say otherwise.
    let uifusion = Context.environment["UIFUSION"] ?? "\(uifusion)"

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        .package(name: "UIFusion", path: uifusion)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "UIFusionKit", package: "UIFusion"),
            .product(name: "UIFusionServer", package: "UIFusion"),
            .product(name: "UIFusionTools", package: "UIFusion"),
          ]
        ),
        .testTarget(
          name: "\(name.tests)",
          dependencies: [
            "\(name)",
            .product(name: "UIFusionKit", package: "UIFusion"),
            .product(name: "UIFusionTesting", package: "UIFusion"),
          ]
        ),
      ]
    )

    """
  }
}
