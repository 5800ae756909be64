import Testing

/// What each target may import beyond the standard library: the architecture, as a table.
///
/// The compiler does not catch an import of something that is only there because a dependency
/// depends on it; this does.
private let allowed: [String: Set<String>] = [
  "UIFusionKit": ["Synchronization", "FoundationEssentials", "Glibc", "Darwin"],
  "UIFusionTesting": [
    "StrictJSON", "TypeShapes", "UIFusionKit", "Synchronization", "FoundationEssentials", "Testing",
  ],
  "HTTPMessages": ["Synchronization"],
  "StrictJSON": ["Synchronization"],
  "JSONPatch": ["StrictJSON"],
  // The standard library's reflection has to be asked for.
  "TypeShapes": ["StrictJSON", "UIFusionKit", "Swift"],
  "Gzip": ["CZlib"],
  "KeyedDigest": ["CNettle"],
  "TLSClient": ["CGnuTLS"],
  "Metrics": ["Glibc", "Synchronization"],
  "MicrohttpdServer": ["CMicrohttpd", "HTTPMessages", "Synchronization", "Dispatch", "Glibc"],
  "Sessions": ["UIFusionKit", "Synchronization", "FoundationEssentials"],
  "SQLiteSessions": ["CSQLite", "KeyedDigest", "Sessions", "Dispatch", "Glibc", "Synchronization"],
  "SessionAPI": [
    "Gzip", "HTTPMessages", "JSONPatch", "KeyedDigest", "Metrics", "Sessions", "StrictJSON",
    "TypeShapes", "UIFusionKit", "Synchronization",
    "FoundationEssentials", "Glibc",
  ],
  "UIFusionServer": [
    "CMalloc", "HTTPMessages", "JSONPatch", "Metrics", "MicrohttpdServer", "SQLiteSessions",
    "SessionAPI",
    "Sessions",
    "StrictJSON", "TLSClient", "UIFusionKit", "Dispatch", "FoundationEssentials", "Glibc",
    "Synchronization",
  ],
  "UIFusionTools": [
    "JSONPatch", "SQLiteSessions", "Sessions", "StrictJSON", "UIFusionKit", "UIFusionServer",
    "FoundationEssentials", "Glibc",
  ],
  "ExampleViewModels": ["UIFusionKit"],
  "uifusion": ["UIFusionServer", "UIFusionTools", "UIFusionKit", "ExampleViewModels"],
]

/// The most lines that a file may have.
private let ceiling = 300

struct `The architecture` {
  @Test(arguments: allowed.keys.sorted())
  func `a target imports only what its row allows`(target: String) throws {
    let files = SourceTree.swiftFiles(in: "Sources/\(target)")
    #expect(!files.isEmpty)
    for file in files {
      let imports = try Set(importedModules(of: file))
      let extra = imports.subtracting(allowed[target] ?? [])
      #expect(extra.isEmpty, "\(file.path) imports \(extra.sorted())")
    }
  }

  @Test func `the table names every target that has Swift in it`() throws {
    let targets = SourceTree.swiftFiles(in: "Sources").map { $0.components[1] }
    #expect(Set(targets) == Set(allowed.keys))
  }

  @Test func `a file of code has 300 lines at the most`() throws {
    let kinds = ["swift", "c", "h", "js", "css"]
    for file in SourceTree.files where kinds.contains(file.kind) && !file.path.hasPrefix(".") {
      let count = try file.lines.count
      #expect(count <= ceiling, "\(file.path) has \(count) lines")
    }
  }

  @Test func `every unsafe claim names its guard in the next line`() throws {
    for file in SourceTree.swiftFiles(in: "Sources") {
      let lines = try file.lines
      for (line, next) in zip(lines, lines.dropFirst()) where claimsSafety(line) {
        #expect(next.contains("// Guard: "), "\(file.path): \(line)")
      }
    }
  }

  private func claimsSafety(_ line: String) -> Bool {
    let code = line.prefix { $0 != "/" }
    return code.contains("@unchecked Sendable") || code.contains("nonisolated(unsafe)")
  }
}

private func importedModules(of file: SourceFile) throws -> [String] {
  let statement =
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public |package |internal |private )?import (?:\w+ )?(\w+)/
    .anchorsMatchLineEndings()
  return try file.text.matches(of: statement).map { String($0.output.1) }
}
