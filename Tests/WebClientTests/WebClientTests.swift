import Foundation
import FusionGzip
import FusionSpawning
import FusionWebClient
import Testing

struct `The client for browsers` {
  private let text = String(decoding: WebClient.module, as: UTF8.self)

  @Test(.enabled(if: hasTools, "esbuild and terser are not here: make client installs them"))
  func `is what its sources make, and so is the console`() throws {
    #expect(try bundle("main.js") == text, "run make client")
    let console = String(decoding: WebClient.consoleModule, as: UTF8.self)
    #expect(try bundle("Console/main.js", from: "Console") == console, "run make client")
  }

  @Test func `needs no other request, and runs no text as code`() {
    let pattern =
      #/\bimport\s*["'{(*]|\bfrom\s*["']|\beval\b|\bFunction\(|innerHTML|insertAdjacentHTML/#
    #expect(text.firstMatch(of: pattern)?.output == nil)
  }

  @Test func `has a console that needs nothing but it, and runs no text as code`() throws {
    let console = String(decoding: WebClient.consoleModule, as: UTF8.self)
    #expect(console.matches(of: #/\bfrom\s*["'](.*?)["']/#).map(\.output.1) == ["../uifusion.js"])
    let pattern = #/\beval\b|\bFunction\(|innerHTML|insertAdjacentHTML/#
    #expect(console.firstMatch(of: pattern)?.output == nil)
    #expect(try #require(gzipped(WebClient.consoleModule)).count <= 7 << 10)
  }

  @Test func `exports what its declarations do, and nothing else`() throws {
    let list = try #require(text.firstMatch(of: #/\bexport\s*\{([^}]*)\};?\s*$/#)).output.1
    let exported = list.split(separator: ",").compactMap { $0.split(separator: " ").last }
    let declarations = String(decoding: WebClient.declarations, as: UTF8.self)
    let declared = declarations.matches(of: #/(?m)^export (?:function|const|class) (\w+)/#)
      .map(\.output.1)
    #expect(Set(exported) == Set(declared) && exported.contains("session"))
  }

  @Test func `is small`() throws {
    #expect(try #require(gzipped(WebClient.module)).count <= 23 << 10)
  }

  @Test(.enabled(if: hasTools, "esbuild and terser are not here: make client installs them"))
  func `is smaller still without bindings`() throws {
    let core = try bundle("Core/session.js")
    #expect(try #require(gzipped(Array(core.utf8))).count <= 8_400)
  }

  /// As the Makefile has it made.
  private func bundle(_ entry: String, from folders: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/make")
    process.arguments = ["-s", "bundle", "ENTRY=\(entry)", "FROM=\(folders)"]
    process.currentDirectoryURL = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let output = Pipe()
    process.standardOutput = output
    try process.start()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}

private let hasTools = ["esbuild", "terser"].allSatisfy { tool in
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
}
