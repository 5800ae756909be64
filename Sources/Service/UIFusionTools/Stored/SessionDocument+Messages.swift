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
      let tree: JSONTree = [
        "number": .number("\(message.number)"),
        "to": tree(of: message.address),
        "input": try JSONTree(parsing: message.input),
        "ifRefused": try message.refusal.map { try JSONTree(parsing: $0) } ?? nil,
      ]
      return message.isForeign ? tree.adding(["foreign": true]) : tree
    }
  }

  /// Reads the messages; a document of an earlier build has none.
  static func messages(in document: DocumentReader) throws(MemberFault) -> [StoredAlarm] {
    guard document.has("messages") else { return [] }
    return try document.array("messages").map { (member) throws(MemberFault) in
      let message = Message(
        Int64(try member.integer("number")),
        to: try address(try member.object("to")),
        try member.json("input") ?? Array("null".utf8),
        ifRefused: try member.json("ifRefused"),
        isForeign: member.has("foreign")
      )
      let time = WallTime(milliseconds: message.alarm.time)
      return StoredAlarm(message.name.bytes, at: time, message.alarm.action)
    }
  }

  /// Returns the member of the addresses that foreign Inputs have led to, if there are any.
  static func foreignFollowings(of session: StoredSession) -> JSONTree {
    guard let record = session.alarms.first(where: \.isRecord) else { return [:] }
    return ["foreignFollowings": .array(SessionAddress.all(in: record.action).map(tree))]
  }

  static func foreignFollowings(
    in document: DocumentReader
  ) throws(MemberFault) -> [StoredAlarm] {
    guard document.has("foreignFollowings") else { return [] }
    let addresses = try document.array("foreignFollowings").map(address)
    let record = Alarm(foreignFollowings: Set(addresses))
    return [
      StoredAlarm(record.name.bytes, at: WallTime(milliseconds: record.time), record.stored)
    ]
  }

  private static func tree(of address: SessionAddress) -> JSONTree {
    switch address.form {
    case .id(let id): ["id": .string(id)]
    case .named(let name, let viewModel, let isShared):
      [
        "viewModel": .string(viewModel), "name": .string(name),
        "scope": .string(isShared ? "shared" : "own"),
      ]
    }
  }

  private static func address(_ member: DocumentReader) throws(MemberFault) -> SessionAddress {
    if member.has("id") { return .id(try member.string("id")) }
    return .named(
      try member.string("name"),
      of: try member.string("viewModel"),
      shared: try member.string("scope") == "shared"
    )
  }
}

extension StoredAlarm {
  /// Whether foreign Inputs caused the alarm, the message, or the followings that the record lists.
  var isForeign: Bool {
    let name = AlarmName(bytes: name)
    if isMessage { return Message(name, action)?.isForeign == true }
    return isRecord || Alarm(name, at: 0, stored: action).isForeign
  }
}
