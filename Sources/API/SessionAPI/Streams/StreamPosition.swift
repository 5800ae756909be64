/// The versions that the client of a stream has, according to the ids of its events.
///
/// For one session the id is the version. For several it contains, for each session that was sent, the
/// beginning of its id and the version: `q3Xw_a12.Zz81kd7`. Such an id needs no memory in the service: it
/// remains valid for another set of sessions, on another node and after a restart.
struct StreamPosition: Sendable {
  private enum Form: Sendable {
    case version(String?)
    case versions([Substring: Substring])
  }

  private static var nameLength: Int { 6 }
  private let form: Form

  /// Parses a client's text; an invalid position counts as none.
  init(_ text: String?, ofSeveral: Bool) {
    guard ofSeveral else {
      form = .version(text)
      return
    }
    var versions: [Substring: Substring] = [:]
    for entry in (text ?? "").split(separator: ".") {
      let name = entry.prefix(Self.nameLength)
      // Two ids with the same beginning cannot be distinguished, so neither version is known.
      let isNew = versions.updateValue(entry.dropFirst(Self.nameLength), forKey: name) == nil
      if !isNew { versions[name] = "" }
    }
    form = .versions(versions)
  }

  /// Returns whether the client has exactly this version.
  func has(_ version: Int, of id: String) -> Bool {
    switch form {
    case .version(let known): known == String(version)
    case .versions(let known): known[Self.name(of: id)[...]] == String(version)[...]
    }
  }

  /// Returns the version that the client has of the session with this id; nil if it has none.
  func version(of id: String) -> Int? {
    switch form {
    case .version(let known): known.flatMap { Int($0) }
    case .versions(let known): known[Self.name(of: id)[...]].flatMap { Int($0) }
    }
  }

  /// Returns the text for several sessions.
  static func text(_ versions: some Sequence<(id: String, version: Int)>) -> String {
    versions.map { name(of: $0.id) + String($0.version) }.joined(separator: ".")
  }

  private static func name(of id: String) -> String {
    String(id.prefix(nameLength))
  }
}
