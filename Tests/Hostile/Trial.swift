import Foundation
import FusionFaultInjection
import FusionRawHTTP
import FusionStrictJSON

/// One session: values of its type are sent, and what was acknowledged is compared with what is read later.
struct Trial {
  let name: String
  let type: String
  private(set) var session = ""
  /// The State of the newest acknowledgement, as JSON, and its version.
  private(set) var state = ""
  private(set) var version = 0
  private(set) var findings: [String] = []

  init(_ name: String, of type: any Drawn.Type) {
    self.name = name
    self.type = "\(type)"
  }

  mutating func create(on service: HostileService) throws {
    let created = try service.answer("POST /sessions", Array(#"{"viewModel":"\#(name)"}"#.utf8))
    guard created.status == 201, let path = created["Location"] else {
      return find("is not created: \(created.status) \(created.text)")
    }
    session = path
    read(created)
  }

  /// Sends values of the type, and texts that may be none.
  mutating func send<Content: Drawn>(
    _: Content.Type,
    to service: HostileService,
    _ generator: inout Generator
  ) {
    for _ in 0..<8 {
      let value = Content.draw(&generator, size: 3)
      guard let written = try? StrictJSON.encode(value) else { continue }
      let isReadable = (try? StrictJSON.decode(Content.self, from: written)) != nil
      if !isReadable {
        find("is written, but not read: \(text(written))")
      } else if let answer = input(written, to: service), answer.status != 200 {
        find("is refused: \(answer.status) \(answer.text) for \(text(written))")
      }
      let damaged =
        generator.isChosen(percent: 50) ? damage(written, &generator) : anything(&generator)
      guard let answer = input(damaged, to: service) else { continue }
      if ![200, 400, 413, 422].contains(answer.status) {
        find("answers \(answer.status) \(answer.text) to \(text(damaged))")
      }
    }
  }

  private mutating func input(_ value: [UInt8], to service: HostileService) -> RawClient.Response? {
    do {
      let body = Array(#"{"hold":"#.utf8) + value + Array("}".utf8)
      let answer = try service.answer("POST \(session)/inputs", body)
      if answer.status == 200 { read(answer) }
      return answer
    } catch {
      find("ends the process: \(text(value))")
      return nil
    }
  }

  /// Compares what the service shows with what was acknowledged.
  mutating func compare(on service: HostileService, after event: String) {
    guard !session.isEmpty, let shown = try? service.answer("GET \(session)") else {
      return find("cannot be read after \(event)")
    }
    let (before, last) = (state, version)
    guard shown.status == 200 else {
      return find("answers \(shown.status) \(shown.text) after \(event); was \(before)")
    }
    read(shown)
    if state != before { find("is \(state) after \(event), was \(before)") }
    if version != last { find("has version \(version) after \(event), had \(last)") }
  }

  /// Compares the State to which a stream of patches leads.
  mutating func compare(_ stream: PatchedStream?) {
    guard let stream else { return }
    do {
      let followed = try stream.state(at: version)
      if !Self.isSame(followed, state) {
        find("is \(followed) on a stream of patches, is \(state)")
      }
    } catch {
      find("has a stream of patches that fails: \(error)")
    }
  }

  /// Whether two States are the same; a patch may put a member in another place.
  private static func isSame(_ a: String, _ b: String) -> Bool {
    func sorted(_ text: String) -> JSONTree? {
      (try? JSONDocument(Array(text.utf8)).root).map { JSONTree($0).sorted }
    }
    return sorted(a) == sorted(b)
  }

  /// Compares a fork and the newest stored version with what was acknowledged.
  mutating func compareHistory(on service: HostileService) {
    guard let fork = try? service.answer("POST \(session)/forks", Array("{}".utf8)) else {
      return find("ends the process when it is forked")
    }
    if fork.status != 201 || Self.state(in: fork.text) != state {
      find("has the fork \(fork.status) \(fork.text), is \(state)")
    }
    guard let past = try? service.answer("GET \(session)/versions/\(version)") else {
      return find("ends the process when a version is read")
    }
    if past.status != 200 || !past.text.contains(state) {
      find("has the version \(past.status) \(past.text), is \(state)")
    }
  }

  mutating func find(_ text: String) { findings.append("\(name), \(type): \(text.prefix(2_000))") }

  private mutating func read(_ answer: RawClient.Response) {
    guard let state = Self.state(in: answer.text),
      let tag = answer["ETag"] ?? answer.text.firstMatch(of: /"version":(\d+)/).map({ "\($0.1)" }),
      let version = Int(tag.filter(\.isNumber))
    else { return find("has an answer without State: \(answer.text)") }
    self.state = state
    self.version = version
  }

  /// The State in `{…,"state":…,"settled":true}`.
  private static func state(in text: String) -> String? {
    guard let start = text.range(of: #""state":"#),
      let end = text.range(of: #","settled":"#, options: .backwards),
      start.upperBound <= end.lowerBound
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes.prefix(600), as: UTF8.self) }

/// Changes some bytes of a JSON text, so that it is often JSON of another type.
private func damage(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
  let pieces = [
    "null", "[]", "{}", "-1", "1e99", "1e400", "\"\"", "true", "[[]]", "{\"\":0}", ",", "-", "0.5",
    "9223372036854775808", "\"\\u0000\"", "\"\\ud800\"", "18446744073709551616",
  ]
  let text = String(decoding: bytes, as: UTF8.self)
  let parts = text.matches(of: /-?\d+(\.\d+)?|"[^"]*"|true|false|null|\[\]|\{\}/)
  guard let part = parts.randomElement(using: &generator) else { return bytes }
  return Array(text.replacingCharacters(in: part.range, with: generator.element(of: pieces)).utf8)
}

/// Draws a JSON text of no type.
private func anything(_ generator: inout Generator, depth: Int = 3) -> [UInt8] {
  func nested(_ generator: inout Generator) -> String {
    String(decoding: anything(&generator, depth: depth - 1), as: UTF8.self)
  }
  let count = depth > 0 ? Int.random(in: 0...3, using: &generator) : 0
  switch Int.random(in: 0..<6, using: &generator) {
  case 0:
    return Array(
      ("[" + (0..<count).map { _ in nested(&generator) }.joined(separator: ",") + "]").utf8
    )
  case 1:
    let keys = ["_0", "one", "two", "id", "first", "lower", "indexes", "identifier", "a"]
    let members = keys.shuffled(using: &generator).prefix(count).map {
      "\"\($0)\":" + nested(&generator)
    }
    return Array(("{" + members.joined(separator: ",") + "}").utf8)
  case 2: return Array("\(Int.draw(&generator, size: 0))".utf8)
  case 3: return Array("\(Double.draw(&generator, size: 0))".utf8)
  case 4: return (try? StrictJSON.encode(String.draw(&generator, size: 2))) ?? []
  default:
    return Array(generator.element(of: ["null", "true", "false", "-0", "1E5", "1e1000"]).utf8)
  }
}

extension Generator {
  /// Runs a trial's sending with the type that the existential holds.
  mutating func send(_ trial: inout Trial, _ type: any Drawn.Type, to service: HostileService) {
    func open<Content: Drawn>(_ type: Content.Type) { trial.send(type, to: service, &self) }
    open(type)
  }
}

extension JSONTree {
  /// The tree with the members of each object in the order of their names' bytes.
  fileprivate var sorted: JSONTree {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.sorted) }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      )
    default: self
    }
  }
}
