import Foundation
import FusionRawHTTP
import FusionSpawning
import Glibc
import Testing

extension `The tools` {
  @Test func `run a package again when it changes, and show build errors`() throws {
    defer { remove() }
    let package = try DevelopedPackage(folder)
    let dev = try DevProcess(package, "--port", "0", "--data", data)
    var client = try RawClient(try dev.port())
    client.request("GET /")
    // The service adds the script's digest to its address.
    let page = try #require(try client.response()?.text)
    #expect(page.hasPrefix("one\n<script type=\"module\" src=\"/uifusion-dev.js?v="))
    #expect(page.hasSuffix("\"></script>\n"))
    #expect(try status(client) == #"{"error":null,"copies":1}"#)
    client.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"counter-sync"}"#
    )
    let session = try #require(try client.response()?["Location"])
    #expect(try client.post(#""increase""#, to: session).contains(#""value":1"#))

    try package.write("broken", to: "Sources/main.swift")
    try dev.wait(for: "the build failed: the last good build goes on", "reloaded")
    #expect(try status(client) == #"{"error":"main.swift:1:1: error: broken","copies":1}"#)
    #expect(try client.post(#""increase""#, to: session).contains(#""value":2"#))

    try package.write("mended", to: "Sources/main.swift")
    client = try RawClient(try dev.port())
    #expect(try status(client) == #"{"error":null,"copies":1}"#)
    #expect(try client.post(#""increase""#, to: session).contains(#""value":3"#))

    try package.write("two", to: "Public/index.html")
    try dev.wait(for: "reloaded")
    client.request("GET /")
    #expect(try client.response()?.text.hasPrefix("two\n<script ") == true)
    #expect(try status(client) == #"{"error":null,"copies":2}"#)
    #expect(try package.text("Public/index.html") == "two")

    #expect(try dev.stop() == 0)
    // The service has stopped, too, or the folder would be in use.
    #expect(try tool("sessions list").status == 0)
    #expect(try tool("sessions delete", "--session", id(of: session)).status == 0)
  }

  @Test func `do not run dev outside of a package`() throws {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result = try run("/bin/sh", ["-c", #"cd "$0" && "$1" dev"#, folder, executable.path])
    #expect(result.status == 1)
    #expect(
      result.errors
        == "uifusion: no Package.swift here: run dev in the folder of a package\n"
    )
  }

  private func status(_ client: RawClient) throws -> String? {
    client.request("GET /uifusion-dev.json")
    return try client.response()?.text
  }
}

/// A package with a script in place of the compiler, which refuses a source that says `broken`, and builds
/// this project's own executable otherwise.
private struct DevelopedPackage {
  let folder: String
  var tools: String { folder + "/tools" }

  init(_ folder: String) throws {
    self.folder = folder
    try write(#".executableTarget(name: "shop")"#, to: "Package.swift")
    try write("good", to: "Sources/main.swift")
    try write("one", to: "Public/index.html")
    try write(
      """
      #!/bin/sh
      [ "$*" = "build --product shop" ] || exit 2
      echo "[1/2] Compiling"
      grep -q broken Sources/main.swift && echo "main.swift:1:1: error: broken" && exit 1
      mkdir -p .build/debug && ln -sfn "\(executable.path)" .build/debug/shop
      """,
      to: "tools/swift"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: tools + "/swift"
    )
  }

  func write(_ text: String, to path: String) throws {
    let file = URL(filePath: folder).appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    // In one step, or dev may copy the file while it is empty.
    let written = URL(filePath: folder).appending(path: "written")
    try Data(text.utf8).write(to: written)
    try #require(rename(written.path, file.path) == 0)
  }

  func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
  }
}

/// `uifusion dev` in a package's folder.
private final class DevProcess {
  private let process: ChildProcess
  private let output = Pipe()
  /// The output for which no call has waited yet.
  private var text = ""

  struct Ended: Error {
    let output: String
  }

  init(_ package: DevelopedPackage, _ flags: String...) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process = try ChildProcess(
      executable.path,
      ["dev"] + flags,
      environment: ["PATH": package.tools + ":" + path],
      in: package.folder,
      output: output,
      errors: output
    )
  }

  deinit { process.signal() }

  /// Waits until all texts were printed, in any order; returns the output and discards it.
  @discardableResult
  func wait(for texts: String...) throws -> String {
    while !texts.allSatisfy({ text.contains($0) }) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Ended(output: text) }
      text += String(decoding: more, as: UTF8.self)
    }
    defer { text = "" }
    return text
  }

  /// Waits until the package's program listens; returns the port.
  func port() throws -> Int {
    let text = try wait(for: "listening on http://127.0.0.1:")
    let digits = text.firstMatch(of: /listening on http:\/\/127\.0\.0\.1:(\d+)\n/)?.output.1
    return try #require(digits.flatMap { Int($0) })
  }

  /// Interrupts the command, as Ctrl-C does, and waits until it and its child processes have ended.
  func stop() throws -> Int32 {
    process.signal(SIGINT)
    // The output ends when the last process has closed it.
    while !output.fileHandleForReading.availableData.isEmpty {}
    return process.waitUntilExit()
  }
}
