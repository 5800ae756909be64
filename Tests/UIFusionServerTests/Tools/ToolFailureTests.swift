import Foundation
import FusionRawHTTP
import Testing

extension `The tools` {
  @Test(arguments: [
    "replay --session AAAAAAAAAAAAAAAAAAAAAA", "sessions list",
    "sessions show --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions export --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions delete --session AAAAAAAAAAAAAAAAAAAAAA",
    "sessions backup --output /nowhere/backup",
  ])
  func `report a missing store, and create none`(command: String) throws {
    let result = try tool(command)
    #expect(result.status == 1)
    #expect(
      result.errors
        == "uifusion: there are no sessions in \(data): name their folder with --data\n"
    )
    #expect(!FileManager.default.fileExists(atPath: data))
  }

  @Test func `report an unknown session`() throws {
    defer { remove() }
    let service = try serve()
    let id = "AAAAAAAAAAAAAAAAAAAAAA"
    for command in ["replay", "sessions show", "sessions export"] {
      let result = try tool(command, "--session", id)
      #expect(result.status == 1)
      #expect(result.errors == "uifusion: there is no session \(id) in \(data)\n")
    }
    #expect(try service.stop().status == 0)
  }

  @Test func `name a damaged database, and leave it unchanged`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    _ = try service.stop()
    let file = data + "/sessions.sqlite"
    var bytes = try Data(contentsOf: URL(filePath: file))
    for place in 4096..<bytes.count { bytes[place] = 0xA5 }
    try bytes.write(to: URL(filePath: file))
    for command in [
      "sessions list", "replay --session \(id)", "sessions show --session \(id)",
      "sessions export --session \(id)", "sessions delete --session \(id)",
      "sessions backup --output \(folder)/copy",
    ] {
      let result = try tool(command)
      #expect(result.status == 1, "\(command)")
      #expect(result.errors.contains(file), "\(command): \(result.errors)")
      #expect(result.errors.contains("damaged"), "\(command): \(result.errors)")
      #expect(try Data(contentsOf: URL(filePath: file)) == bytes, "\(command)")
    }
    try Data("no database at all, but a text".utf8).write(to: URL(filePath: file))
    let text = try tool("sessions list")
    #expect(text.status == 1 && text.errors.contains(file))
  }

  @Test func `report an output that they cannot write`() throws {
    defer { remove() }
    let service = try serve()
    let id = try counter(service)
    let full = try run(
      "/bin/sh",
      [
        "-c", #""$0" sessions export --data "$1" --session "$2" > /dev/full"#, executable.path,
        data,
        id,
      ]
    )
    #expect(full.status == 1)
    #expect(
      full.errors == "uifusion: cannot write standard output: No space left on device\n"
    )
    let file = try tool("sessions export", "--session", id, "--output", "/nowhere/session")
    #expect(file.status == 1 && file.errors.contains("/nowhere/session"))
    let backup = try tool("sessions backup", "--output", "/proc/nothing")
    #expect(backup.status == 1 && backup.errors.contains("/proc/nothing"))
  }
}
