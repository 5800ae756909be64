import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// Messages that wait, in the document of their session.
extension SessionDocument {
  /// - Throws: an error for a message that a later build has sent.
  static func messages(of session: StoredSession) throws -> [JSONTree] {
    try session.alarms.filter(\.isMessage).map { alarm in
      guard let message = Message(AlarmName(bytes: alarm.name), alarm.action) else {
        throw StoreError.damaged("a message cannot be read by this build")
      }
      let receiver: JSONTree =
        switch message.address.form {
        case .id(let id): ["id": .string(id)]
        case .named(let name, let viewModel, let isShared):
          [
            "viewModel": .string(viewModel), "name": .string(name),
            "scope": .string(isShared ? "shared" : "own"),
          ]
        }
      return [
        "number": .number("\(message.number)"),
        "to": receiver,
        "input": try JSONTree(parsing: message.input),
        "ifRefused": try message.refusal.map { try JSONTree(parsing: $0) } ?? nil,
      ]
    }
  }

  /// Reads the messages; a document of an earlier build has none.
  static func messages(in document: DocumentReader) throws(MemberFault) -> [StoredAlarm] {
    guard document.has("messages") else { return [] }
    return try document.array("messages").map { (member) throws(MemberFault) in
      let receiver = try member.object("to")
      let form: SessionAddress.Form =
        receiver.has("id")
        ? .id(try receiver.string("id"))
        : .named(
          try receiver.string("name"),
          viewModel: try receiver.string("viewModel"),
          isShared: try receiver.string("scope") == "shared"
        )
      let message = Message(
        Int64(try member.integer("number")),
        to: SessionAddress(form),
        try member.json("input") ?? Array("null".utf8),
        ifRefused: try member.json("ifRefused")
      )
      let time = WallTime(milliseconds: message.alarm.time)
      return StoredAlarm(message.name.bytes, at: time, message.alarm.action)
    }
  }
}
