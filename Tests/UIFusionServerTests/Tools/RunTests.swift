import Foundation
import Testing

/// The scenarios of the hosted examples, `Tests/Scenarios`.
private let scenarios = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios")

private let names = ((try? FileManager.default.contentsOfDirectory(atPath: scenarios.path)) ?? [])
  .filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }.sorted()

extension `The tools` {
  @Test func `run a scenario of each hosted example, as a check and as a load`() throws {
    defer { remove() }
    let service = try serve()
    #expect(names.count >= 28)
    for name in names {
      let file = scenarios.appending(path: name + ".jsonl").path
      let check = try run(executable.path, ["run", file, "--url", url(service), "--limit", "60"])
      #expect(check.status == 0, "\(name): \(check.output)\(check.errors)")
      let load = try run(
        executable.path,
        ["run", file, "--url", url(service), "--limit", "60"]
          + ["--rate", "20", "--seconds", "0.2", "--sessions", "8"]
      )
      // On a slow machine Inputs may be late, which the exit code says.
      #expect(load.output.contains("scenario, 0 failed\n"), "\(name): \(load.output)\(load.errors)")
    }
    _ = try service.stop()
  }

  @Test func `find what is otherwise than a scenario expects`() throws {
    defer { remove() }
    let service = try serve()
    for name in names {
      // Another number, truth or word in the last State that is waited for.
      let text = try String(contentsOf: scenarios.appending(path: name + ".jsonl"), encoding: .utf8)
      var lines = text.split(separator: "\n").map(String.init)
      guard
        let index = lines.lastIndex(where: { $0.contains("expect\"") || $0.contains("state\"") })
      else { continue }
      let value = try #require(lines[index].matches(of: /: (\d+|true|false|null|"[^"]*")/).last)
      lines[index].replaceSubrange(value.output.1.startIndex..<value.output.1.endIndex, with: "-7")
      let file = folder + "/\(name).jsonl"
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      let check = try run(executable.path, ["run", file, "--url", url(service), "--limit", "0.5"])
      #expect(check.status == 1 && check.output.contains("→"), "\(name): \(check.output)")
    }
    _ = try service.stop()
  }

  @Test func `run a scenario over a restart of the service, as the people that a file names`()
    throws
  {
    defer { remove() }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let (scenario, people) = (folder + "/desk.jsonl", folder + "/people.json")
    try """
    {"create": "counter-sync", "as": "ada"}
    {"send": "increase", "as": "ada"}
    {"restart": true}
    {"send": "increase", "as": "ada"}
    {"expect": {"value": 2}}
    """.write(toFile: scenario, atomically: true, encoding: .utf8)
    let token = try run(executable.path, ["token", "--id", "ada"])
    let tokens = folder + "/tokens"
    try token.output.write(toFile: tokens, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: tokens)
    let secret = token.errors.trimmingCharacters(in: .newlines)
    try #"{"ada": "Authorization: Bearer \#(secret)"}"#
      .write(toFile: people, atomically: true, encoding: .utf8)
    let service = try serve("--auth-tokens", tokens)
    let words = ["run", scenario, "--url", url(service), "--limit", "60"]
    let unnamed = try run(executable.path, words)
    #expect(unnamed.status == 2 && unnamed.errors.contains("say who ada is: --people FILE"))
    let script = folder + "/restart"
    try """
    pkill -9 -f -- "serve .*--data \(data)"
    \(executable.path) serve --data \(data) --port \(service.port) --auth-tokens \(tokens) > \(folder)/log 2>&1 &
    """.write(toFile: script, atomically: true, encoding: .utf8)
    defer { _ = try? run("/usr/bin/pkill", ["-9", "-f", "--", "serve --data \(data)"]) }
    let whole = try run(
      executable.path,
      words + ["--people", people, "--restart", "sh \(script)"]
    )
    #expect(whole.status == 0, "\(whole.output)\(whole.errors)")
    service.kill()
  }

  private func url(_ service: ServiceProcess) -> String { "http://127.0.0.1:\(service.port)" }
}
