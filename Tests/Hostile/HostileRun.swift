import Foundation
import FusionFaultInjection
import FusionRawHTTP

/// The trials of one seed, on one folder.
struct HostileRun {
  let seed: UInt64

  /// Runs the trials; returns what was found.
  func findings() throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "uifusion-hostile-\(UUID().uuidString)"
    ).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let types = HostileCatalog(seed: seed).types
    let service = HostileService(seed: seed, folder: folder)
    defer { service.kill() }
    do { try service.start() } catch { return ["the service does not start with \(types)"] }
    var generator = Generator(seed: ~seed)
    var trials = types.enumerated().map { Trial("m\($0)", of: $1) }
    for number in trials.indices {
      try? describe(&trials[number], on: service)
      try? trials[number].create(on: service)
      guard !trials[number].session.isEmpty else { continue }
      let (stream, deaths) = (
        try? PatchedStream(trials[number].session, port: service.port), service.deaths
      )
      generator.send(&trials[number], types[number], to: service)
      trials[number].compare(service.deaths == deaths ? stream : nil)
      trials[number].compare(on: service, after: "the last Input")
    }
    // Each process has another order for the elements of sets.
    for event in ["a kill", "another kill"] {
      service.kill()
      do { try service.start() } catch { return trials.flatMap(\.findings) + ["it cannot start"] }
      for number in trials.indices { trials[number].compare(on: service, after: event) }
    }
    for number in trials.indices { trials[number].compareHistory(on: service) }
    service.kill()
    let check = try service.run(["deploy", "check"])
    let others = check.status == 0 ? [] : ["deploy check: \(check.output.suffix(1_000))"]
    try takeElsewhere(&trials, from: service, folder: folder + "/elsewhere")
    return trials.compactMap(\.findings.first) + others
  }

  /// Exports each session, and imports it into another service, which has to show the same.
  private func takeElsewhere(
    _ trials: inout [Trial],
    from service: HostileService,
    folder: String
  ) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let other = HostileService(seed: seed, folder: folder)
    defer { other.kill() }
    for number in trials.indices where !trials[number].session.isEmpty {
      let id = trials[number].session.split(separator: "/").last.map(String.init) ?? ""
      let document = folder + "/\(number).json"
      let exported = try service.run(["sessions", "export", "--session", id])
      try exported.output.write(toFile: document, atomically: true, encoding: .utf8)
      let imported = try other.run(["sessions", "import", "--input", document])
      if exported.status != 0 || imported.status != 0 {
        let output = exported.status == 0 ? imported.output : exported.output
        trials[number].find("cannot be taken elsewhere: \(output)")
      }
    }
    try other.start()
    for number in trials.indices { trials[number].compare(on: other, after: "an import") }
  }

  private func describe(_ trial: inout Trial, on service: HostileService) throws {
    for path in ["/view-models/\(trial.name)", "/openapi.json"] {
      do {
        let answer = try service.answer("GET \(path)")
        if answer.status != 200 { trial.find("\(path) answers \(answer.status)") }
      } catch {
        trial.find("\(path) ends the process")
      }
    }
  }
}
