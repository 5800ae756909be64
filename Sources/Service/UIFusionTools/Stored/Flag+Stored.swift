import FusionCommandLine
import FusionSessions
import UIFusionServer

extension Flag {
  /// Makes the flag `--data`.
  static func store(_ member: Member<StoreLocation>) -> Flag {
    Flag(
      name: "data",
      value: "FOLDER|postgres://…",
      help: "place where sessions are stored",
      defaultValue: Settings()[keyPath: member].description
    ) { (text, settings) throws(BadValue) in
      settings[keyPath: member] = try place(text)
    }
  }

  /// Makes the flag `--from`, the location to import from.
  static func from(_ member: Member<StoreLocation?>) -> Flag {
    Flag(
      name: "from",
      value: "FOLDER|postgres://…",
      help: "place to import all sessions of; no service may use it",
      defaultValue: "none"
    ) { (text, settings) throws(BadValue) in
      settings[keyPath: member] = try place(text)
    }
  }

  private static func place(_ text: String) throws(BadValue) -> StoreLocation {
    guard !text.isEmpty, text != "memory" else {
      throw BadValue(expected: "a folder, or postgres://…")
    }
    return StoreLocation(storage: try SessionStorage(text))
  }

  /// Makes the flag `--session`.
  static func session(
    _ member: Member<SessionID?>,
    defaultValue: String = "required"
  ) -> Flag {
    Flag(name: "session", value: "ID", help: "the session", defaultValue: defaultValue) {
      (text, settings) throws(BadValue) in
      guard let id = SessionID(text) else {
        throw BadValue(expected: "a session's id, of 22 letters, digits, - and _")
      }
      settings[keyPath: member] = id
    }
  }
}

extension Flag {
  /// Makes the flag `--version`.
  static func version(_ member: Member<Int?>) -> Flag {
    Flag("version", "N", "the version", member, 1...(.max), defaultValue: "the newest")
  }
}

extension Optional<SessionID> {
  /// Returns the id, or throws if none was given.
  func given() throws(UsageError) -> SessionID {
    guard let id = self else { throw UsageError("say which session: --session ID") }
    return id
  }
}
