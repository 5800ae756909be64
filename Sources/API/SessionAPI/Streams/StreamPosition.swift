import FusionSessions

/// What the client of a stream has, as its events' ids say.
///
/// For one session that is the version. For several it names each that something was sent of, by the
/// first characters of its id, with the version behind them: `q3Xw_a12.Zz81kd7`. It stands for itself, so
/// it holds for any other set of sessions, on another node and after a restart.
struct StreamPosition {
  private enum Form {
    case version(String?)
    case versions([Substring: Substring])
  }

  private static var nameLength: Int { 6 }
  private let form: Form

  /// Reads what a client sends; anything that is no position says nothing.
  init(_ text: String?, ofSeveral: Bool) {
    guard ofSeveral else {
      form = .version(text)
      return
    }
    var versions: [Substring: Substring] = [:]
    for entry in (text ?? "").split(separator: ".") {
      let name = entry.prefix(Self.nameLength)
      // Two ids that begin alike cannot be told apart: then nothing is known of either.
      let isNew = versions.updateValue(entry.dropFirst(Self.nameLength), forKey: name) == nil
      if !isNew { versions[name] = "" }
    }
    form = .versions(versions)
  }

  /// Whether the client has this very version, written as it is here.
  func has(_ version: Int, of id: SessionID) -> Bool {
    switch form {
    case .version(let known): known == String(version)
    case .versions(let known): known[Self.name(of: id)[...]] == String(version)[...]
    }
  }

  /// The version that the client has, where that is a number.
  func version(of id: SessionID) -> Int? {
    switch form {
    case .version(let known): known.flatMap { Int($0) }
    case .versions(let known): known[Self.name(of: id)[...]].flatMap { Int($0) }
    }
  }

  /// The text for several sessions.
  static func text(_ versions: some Sequence<(id: SessionID, version: Int)>) -> String {
    versions.map { name(of: $0.id) + String($0.version) }.joined(separator: ".")
  }

  private static func name(of id: SessionID) -> String {
    String(id.description.prefix(nameLength))
  }
}
