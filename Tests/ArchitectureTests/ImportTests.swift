import Foundation
import Testing

/// The imports that each target may have beyond the standard library: the architecture, as a table.
///
/// The compiler accepts an import of a module that is only visible through a dependency's dependency; these
/// tests do not.
private let allowed: [String: Set<String>] = [
  "UIFusionKit": [
    "Synchronization", "Foundation", "FoundationEssentials", "Glibc", "Darwin", "Observation",
  ],
  "UIFusionTesting": [
    "FusionStrictJSON", "FusionTypeShapes", "UIFusionKit", "Synchronization",
    "FoundationEssentials", "Foundation", "Testing", "XCTest",
  ],
  "HTTPMessages": ["Synchronization", "Glibc"],
  // Reflection needs an import of the standard library.
  "StrictJSON": [
    "Swift", "UIFusionKit", "Synchronization", "FoundationEssentials", "Foundation",
  ],
  "JSONPatch": ["FusionStrictJSON", "UIFusionKit"],
  "TypeShapes": [
    "FusionStrictJSON", "UIFusionKit", "FoundationEssentials", "Foundation", "Synchronization",
  ],
  "Gzip": ["CFusionZlib"],
  "KeyedDigest": ["CFusionNettle"],
  "WebClient": ["CFusionWebClient"],
  "TLS": ["CFusionGnuTLS"],
  "Metrics": ["Glibc", "Synchronization"],
  "MicrohttpdServer": [
    "CFusionMicrohttpd", "FusionHTTPMessages", "Synchronization", "Dispatch", "Glibc",
  ],
  "Sessions": ["UIFusionKit", "Synchronization", "FoundationEssentials"],
  "SQLiteSessions": [
    "CFusionSQLite", "FusionKeyedDigest", "FusionSessions", "Dispatch", "Glibc", "Synchronization",
  ],
  "PostgreSQLSessions": [
    "CFusionPostgreSQL", "FusionSessions", "Dispatch", "Glibc", "Synchronization",
  ],
  "HTTPToolkit": [
    "FusionGzip", "FusionHTTPMessages", "FusionMetrics", "FusionStrictJSON", "Synchronization",
    "FoundationEssentials", "Glibc",
  ],
  "SessionAPI": [
    "FusionGzip", "FusionHTTPMessages", "FusionHTTPToolkit", "FusionJSONPatch", "FusionKeyedDigest",
    "FusionMetrics",
    "FusionSessions", "FusionStrictJSON",
    "FusionTypeShapes", "FusionWebClient", "UIFusionKit", "Synchronization",
  ],
  "Cluster": [
    "CFusionCurl", "FusionHTTPMessages", "FusionHTTPToolkit", "FusionKeyedDigest", "FusionMetrics",
    "FusionMicrohttpdServer", "FusionSessionAPI", "FusionSessions", "FusionStrictJSON",
    "UIFusionKit", "FoundationEssentials", "Glibc", "Synchronization",
  ],
  "CommandLine": ["Dispatch", "FoundationEssentials", "Glibc"],
  "UIFusionServer": [
    "CFusionMalloc", "FusionCluster", "FusionCommandLine", "FusionHTTPMessages",
    "FusionHTTPToolkit", "FusionJSONPatch", "FusionKeyedDigest", "FusionMetrics",
    "FusionMicrohttpdServer", "FusionPostgreSQLSessions",
    "FusionSQLiteSessions",
    "FusionSessionAPI",
    "FusionSessions",
    "FusionStrictJSON", "FusionTLS", "FusionTypeShapes", "UIFusionKit", "Dispatch",
    "FoundationEssentials",
    "Glibc",
    "Synchronization",
  ],
  "Doctor": [
    "FusionCommandLine", "FusionStrictJSON", "UIFusionKit", "FoundationEssentials", "Glibc",
  ],
  "UIFusionTools": [
    "FusionCluster", "FusionCommandLine", "FusionDoctor", "FusionHTTPMessages",
    "FusionPostgreSQLSessions", "FusionSQLiteSessions", "FusionSessionAPI", "FusionSessions",
    "FusionStrictJSON", "FusionWebClient", "UIFusionKit", "UIFusionServer", "Dispatch",
    "FoundationEssentials", "Glibc", "Synchronization",
  ],
  "ExampleViewModels": ["UIFusionKit", "FoundationEssentials"],
  "uifusion": [
    "UIFusionServer", "UIFusionTools", "UIFusionKit", "FusionExampleViewModels", "Glibc", "Darwin",
  ],
]

/// The maximum number of lines of a file.
private let ceiling = 400

struct `The architecture` {
  @Test(arguments: allowed.keys.sorted())
  func `allows each target only the imports in its row`(target: String) throws {
    let files = SourceTree.swiftFiles(ofTarget: target)
    #expect(!files.isEmpty)
    for file in files {
      let imports = try Set(importedModules(of: file))
      let extra = imports.subtracting(allowed[target] ?? [])
      #expect(extra.isEmpty, "\(file.path) imports \(extra.sorted())")
    }
  }

  @Test func `has a row for every target with Swift files`() throws {
    let targets = SourceTree.swiftFiles(in: "Sources").map { $0.components[2] }
    #expect(Set(targets) == Set(allowed.keys))
  }

  /// SwiftPM refuses a package graph with two targets of the same name.
  @Test func `gives each target a unique prefix`() throws {
    let manifest = try #require(SourceTree.files.first { $0.path == "Package.swift" })
    let names = try manifest.text.matches(
      of: /\.(?:systemLibrary|target)\(\s*name: "(\w+)"/
    ).map { String($0.output.1) }
    #expect(names.count > 20)
    for name in names {
      #expect(name.contains(/^(UIFusion|Fusion|CFusion)[A-Z]/), "\(name)")
    }
  }

  /// No Apple compiler runs here to check it.
  @Test(arguments: ["UIFusionKit", "UIFusionTesting", "StrictJSON", "TypeShapes"])
  func `uses no newer API than Apple's systems in the manifest offer`(target: String) throws {
    let newer = /\b(utf8Span|InlineArray|isolated deinit|Task\.immediate)\b/
    for file in SourceTree.swiftFiles(ofTarget: target) {
      let text = try file.text
      #expect(text.firstMatch(of: newer) == nil, "\(file.path)")
      #expect(
        !text.contains("import FoundationEssentials") || text.contains("#else"),
        "\(file.path)"
      )
      #expect(!text.contains(/^import Glibc/.anchorsMatchLineEndings()), "\(file.path)")
    }
  }

  @Test func `limits a code file to 400 lines`() throws {
    let kinds = ["swift", "c", "h", "js", "css"]
    for file in SourceTree.files where kinds.contains(file.kind) && !file.path.hasPrefix(".") {
      let count = try file.lines.count
      #expect(count <= ceiling, "\(file.path) has \(count) lines")
    }
  }

  @Test func `names a guard for every unsafe claim in the next line`() throws {
    for file in SourceTree.swiftFiles(in: "Sources") {
      let lines = try file.lines
      for (line, next) in zip(lines, lines.dropFirst()) where claimsSafety(line) {
        #expect(next.contains("// Guard: "), "\(file.path): \(line)")
      }
    }
  }

  /// A test that blocks a thread of Dispatch's global queue delays all others that wait for one.
  @Test func `runs no test's work on the global queue`() throws {
    let queue = "DispatchQueue." + "global("
    for file in SourceTree.swiftFiles(in: "Tests") {
      #expect(try !file.text.contains(queue), "\(file.path): use onThread")
    }
  }

  /// A service in the tests' process needs the threads of Swift's pool, which a blocking client would take.
  @Test func `waits without blocking for a service in the tests' own process`() throws {
    for file in SourceTree.swiftFiles(in: "Tests") where try file.text.contains(/\bService\(/) {
      for line in try file.lines where line.contains(/\bRawClient\((?!path:)/) {
        Issue.record("\(file.path): use WaitingClient: \(line)")
      }
    }
  }

  /// A comment alone does not notice the first access from elsewhere.
  @Test func `asserts that what belongs to a queue or a loop is used there`() throws {
    var count = 0
    for file in SourceTree.swiftFiles(in: "Sources") {
      let lines = try file.lines
      for (line, guardian) in zip(lines, lines.dropFirst()) where claimsSafety(line) {
        guard guardian.contains(/loop's thread\b|queue\b/), !guardian.contains("on other threads")
        else { continue }
        count += 1
        #expect(try isAsserted(guardian, in: file), "\(file.path): \(guardian)")
      }
    }
    #expect(count >= 9)
  }

  /// Whether a function that a guard names, in the file's type or a named one, asserts its thread or queue.
  private func isAsserted(_ guardian: String, in file: SourceFile) throws -> Bool {
    try guardian.matches(of: /`(?:(\w+)\.)?(\w+)`/).contains { match in
      let type = match.output.1 ?? file.name.prefix { $0 != "+" }
      return try SourceTree.swiftFiles(ofTarget: file.components[2])
        .filter { $0.name.prefix { $0 != "+" } == type }
        .flatMap { try $0.bodies(of: String(match.output.2)) }
        .contains { $0.contains("assertIsCurrent()") || $0.contains("dispatchPrecondition(") }
    }
  }

  private func claimsSafety(_ line: String) -> Bool {
    let code = line.prefix { $0 != "/" }
    return code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)")
  }
}

/// Returns the imported modules, without those in multi-line literals, which hold other programs' texts.
private func importedModules(of file: SourceFile) throws -> [String] {
  let statement =
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |private )?import (?:\w+ )?(\w+)/
    .anchorsMatchLineEndings()
  let parts = try file.text.components(separatedBy: "\"\"\"")
  return parts.indices.filter { $0 % 2 == 0 }.flatMap { index in
    parts[index].matches(of: statement).map { String($0.output.1) }
  }
}

/// A comparison that stops at the first different byte reveals how much of a guess is right.
struct `A credential` {
  @Test(arguments: ["Identity/TokenFile", "Identity/LoginCookies", "Signing/NodeSignature"])
  func `is compared in constant time`(file: String) throws {
    let name = "\(file).swift"
    let files = SourceTree.swiftFiles(in: "Sources").filter { $0.path.hasSuffix(name) }
    #expect(try #require(files.first).text.contains("KeyedDigest.areEqual("))
  }
}
