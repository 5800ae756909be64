import FusionSessions
import UIFusionServer

extension Flag {
  static func store(_ member: any WritableKeyPath<Settings, StorePlace> & Sendable) -> Flag {
    Flag(
      name: "data",
      value: "FOLDER|postgres://…",
      help: "where sessions are kept",
      defaultValue: Settings()[keyPath: member].description
    ) { (text, settings) throws(BadValue) in
      settings[keyPath: member] = try place(text)
    }
  }

  /// Another place than that of ``store(_:)``.
  static func from(_ member: any WritableKeyPath<Settings, StorePlace?> & Sendable) -> Flag {
    Flag(
      name: "from",
      value: "FOLDER|postgres://…",
      help: "take in all sessions of this place, which nobody serves",
      defaultValue: "none"
    ) { (text, settings) throws(BadValue) in
      settings[keyPath: member] = try place(text)
    }
  }

  private static func place(_ text: String) throws(BadValue) -> StorePlace {
    guard !text.isEmpty, text != "memory" else {
      throw BadValue(expected: "a folder, or postgres://…")
    }
    return StorePlace(storage: try SessionStorage(text))
  }

  static func session(_ member: any WritableKeyPath<Settings, SessionID?> & Sendable) -> Flag {
    Flag(name: "session", value: "ID", help: "the session", defaultValue: "has to be given") {
      (text, settings) throws(BadValue) in
      guard let id = SessionID(text) else {
        throw BadValue(expected: "a session's id, of 22 letters, digits, - and _")
      }
      settings[keyPath: member] = id
    }
  }
}

extension Optional<SessionID> {
  /// Throws where none was given.
  func given() throws(UsageError) -> SessionID {
    guard let id = self else { throw UsageError("say which session: --session ID") }
    return id
  }
}
