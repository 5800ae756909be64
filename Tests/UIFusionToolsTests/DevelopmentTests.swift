import Foundation
import FusionCommandLine
import Testing
import UIFusionTesting

@testable import UIFusionTools

struct `A package under development` {
  @Test(arguments: [
    (#".executableTarget(name: "shop")"#, "shop"),
    (".executableTarget(\n  name: \"shop\",", "shop"),
    (#".executable(name: "front", targets: ["shop"]), .executableTarget(name: "shop")"#, "front"),
    (#".target(name: "shop")"#, nil), ("", nil),
  ])
  func `runs the first executable of its manifest`(manifest: String, product: String?) {
    #expect(DevPackage.executable(in: manifest) == product)
  }

  @Test func `runs the executable of a new package`() throws {
    let name = try #require(PackageName("my-shop"))
    let template = PackageTemplate(name: name, source: .folder("/uifusion"))
    #expect(DevPackage.executable(in: template.manifest) == "my-shop")
    #expect(template.makefile.contains("\tswift run my-shop dev $(ARGS)\n"))
  }

  @Test func `keeps its sessions when a member of State is renamed`() throws {
    let development = Development(
      try DevPackage(product: "shop"),
      flags: ["--port", "0"],
      publicFolder: "Public",
      timeout: .zero,
      time: TestClock()
    )
    #expect(development.arguments.starts(with: ["serve", "--drop-members", "on", "--port", "0"]))
  }

  @Test func `notices files that are changed, added and removed`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, other) = (folder.appending(path: "a"), folder.appending(path: "b"))
    try Data("1".utf8).write(to: file)
    let first = FileMarks(of: [folder.path, "/nowhere"])
    #expect(FileMarks(of: [folder.path]) == first)
    try Data("22".utf8).write(to: file)
    let changed = FileMarks(of: [folder.path])
    #expect(changed != first)
    try Data().write(to: other)
    let added = FileMarks(of: [folder.path])
    #expect(added != changed)
    try FileManager.default.removeItem(at: other)
    #expect(FileMarks(of: [folder.path]) != added)
  }

  @Test func `reports a program's exit status and output`() throws {
    let failing = try Subprocess(
      ["sh", "-c", "echo out; echo err >&2; exit 3"],
      capturesOutput: true
    )
    failing.waitUntilEnd()
    #expect(failing.status == 3)
    #expect(failing.newOutput() == Array("out\nerr\n".utf8))
    #expect(failing.newOutput() == [])
    let stopped = try Subprocess(["sleep", "600"])
    #expect(stopped.status == nil)
    stopped.stop(within: .seconds(60))
    #expect(stopped.status == 143)
  }

  @Test func `kills a program that does not stop`() throws {
    let deaf = try Subprocess(
      ["sh", "-c", "trap '' TERM; echo ready; exec sleep 600"],
      capturesOutput: true
    )
    while deaf.newOutput().isEmpty {}
    deaf.stop(within: .zero)
    #expect(deaf.status == 137)
  }

  @Test func `fails if a program cannot be started`() {
    #expect(throws: CommandError.self) { try Subprocess(["/nowhere/program"]) }
  }
}
