import FusionHTTPMessages
import FusionStrictJSON
import UIFusionKit

/// A scenario of what has happened to a session, as its service tells: `--inspect` has to be on.
struct RecordedScenario {
  let text: String

  /// Asks the service for the session's history, from its beginning.
  ///
  /// - Throws: ``StepFailure``.
  init(
    _ id: String,
    as person: String?,
    _ service: ScenarioService
  ) async throws(StepFailure) {
    let path = "/sessions/\(id)"
    let session = try await Self.json(path, as: person, service)
    var versions: [JSONTree] = []
    var before = ""
    repeat {
      let page: JSONTree
      do throws(StepFailure) {
        page = try await Self.json("\(path)/versions?limit=100\(before)", as: person, service)
      } catch {
        throw StepFailure(
          ["a service tells its history only with --inspect and a store"] + error.lines
        )
      }
      guard case .array(let found)? = page["versions"] else { break }
      versions += found
      guard found.count == 100, let last = found.last?["version"]?.integer, last > 1 else { break }
      before = "&before=\(last)"
    } while true
    guard let first = versions.last?["version"]?.integer, first == 1 else {
      throw StepFailure(["its history does not reach back to its first version"])
    }
    var create: JSONTree = ["create": session["viewModel"] ?? ""]
    if let name = session["name"] { create = create.adding(["name": name]) }
    if let parameters = session["parameters"] {
      create = create.adding(["parameters": parameters])
    }
    var lines = [create]
    if let person { lines[0] = lines[0].adding(["as": .string(person)]) }
    for entry in versions.reversed() {
      guard let version = entry["version"]?.integer else { continue }
      if entry["isCut"] == true {
        throw StepFailure(["the trace of version \(version) is too long to be whole"])
      }
      var trace: [JSONTree] = []
      if case .array(let found)? = entry["trace"] { trace = found }
      if trace.contains(where: { $0["followed"] != nil }) {
        throw StepFailure(["version \(version) follows another session, which no client can send"])
      }
      if trace.contains(where: { $0["input"]?.text.contains(hidden) == true }) {
        throw StepFailure(["version \(version) has a secret, which no history tells"])
      }
      // As in a recording: an Input behind an action is that of a later turn, which changed nothing.
      let leading = version == 1 ? 0 : trace.prefix { $0["input"] != nil }.count
      let whole = try await Self.json("\(path)/versions/\(version)", as: person, service)
      lines += trace[..<leading].compactMap(Self.send)
      lines.append(["state": whole["state"] ?? .null])
      lines += trace[leading...].compactMap(Self.send)
    }
    text = lines.map { $0.text + "\n" }.joined()
  }

  /// Returns the step for a line of a trace; nil for one that is no Input.
  private static func send(_ line: JSONTree) -> JSONTree? {
    guard let input = line["input"] else { return nil }
    let step: JSONTree = ["send": input]
    return line["sender"].map { step.adding(["as": $0]) } ?? step
  }

  private static func json(
    _ path: String,
    as person: String?,
    _ service: ScenarioService
  ) async throws(StepFailure) -> JSONTree {
    let answer = try await service.ask(
      .get,
      path,
      as: person,
      until: service.time.now + .seconds(10)
    )
    guard answer.status == 200, let json = answer.json else { throw StepFailure([answer.text]) }
    return json
  }
}
