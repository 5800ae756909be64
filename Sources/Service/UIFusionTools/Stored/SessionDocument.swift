import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// A session as one JSON document, with as much history as can be read.
///
/// States, patches and traces are JSON, times RFC 3339, keys without the digests of their bodies.
enum SessionDocument {
  /// The number of the document's format, in its member `uifusionSession`: 3 where a build without messages would lose
  /// some, 4 where a build would take what foreign Inputs caused for the owner's, 5 where it would take a reply for a
  /// message.
  private static func format(of session: StoredSession) -> Int {
    if session.alarms.contains(where: \.isReply) { return 5 }
    if session.alarms.contains(where: \.isForeign) { return 4 }
    let keys = session.keys + session.entries.compactMap(\.key)
    let hasMessages =
      session.alarms.contains(where: \.isMessage) || keys.contains { $0.messageNumber != nil }
    return hasMessages ? 3 : 2
  }

  /// Returns the document of a session.
  static func tree(of session: StoredSession) throws -> JSONTree {
    let head = session.head
    // The keys of entries are written with their entries.
    let keys = Set(session.entries.compactMap(\.key?.key))
    var running = head.running
    let entries = try session.entries.map { entry in
      try entry.running.apply(to: &running)
      return try tree(of: entry, running)
    }
    let document: JSONTree = [
      "uifusionSession": .number("\(format(of: session))"),
      "id": .string("\(session.id)"),
      "viewModel": .string(session.viewModel),
      "parameters": session.parameters.isEmpty ? nil : try JSONTree(parsing: session.parameters),
      "created": .string(session.created.text),
      "used": .string(session.used.text),
      "head": [
        "sequence": .number("\(head.sequence)"),
        "version": .number("\(head.version)"),
        "format": .number("\(head.format)"),
        "running": .array(head.running.map { .string($0) }),
        "state": try JSONTree(parsing: head.state),
      ],
      "entries": .array(entries),
      "alarms": .array(session.alarms.filter { !$0.isMessage && !$0.isRecord }.map(tree)),
      "messages": .array(try messages(of: session)),
      "keys": .array(session.keys.filter { !keys.contains($0.key) }.map(tree)),
    ]
    return document.adding(session.belonging).adding(foreignFollowings(of: session))
  }

  private static func tree(of entry: LogEntry, _ running: [String]) throws -> JSONTree {
    let outcome: JSONTree =
      switch entry.outcome {
      case .unchanged: [:]
      case .state(let state): ["state": try JSONTree(parsing: state)]
      case .patch(let patch): ["patch": try JSONTree(parsing: patch)]
      }
    let lines = TraceLine.lines(of: entry.trace)
    let start: JSONTree = [
      "version": .number("\(entry.version)"),
      "time": .string(entry.time.text),
      "running": .array(running.map { .string($0) }),
      "trace": .array(try lines.map { try JSONTree(parsing: $0.text) }),
    ]
    let key: JSONTree = entry.key.map { ["key": tree(of: $0)] } ?? [:]
    return start.adding(outcome).adding(key)
  }

  /// The action is written as text where it is not JSON.
  static func tree(of alarm: StoredAlarm) -> JSONTree {
    let name = AlarmName(bytes: alarm.name)
    let alarm = Alarm(name, at: alarm.time.milliseconds, stored: alarm.action)
    let tree: JSONTree = [
      "name": .string("\(name)"),
      "time": .string(WallTime(milliseconds: alarm.time).text),
      "action": (try? JSONTree(parsing: alarm.action))
        ?? .string(String(decoding: alarm.action, as: UTF8.self)),
    ]
    return alarm.isForeign ? tree.adding(["foreign": true]) : tree
  }

  /// Leaves out the digest of the body, which only the store that made it can use.
  private static func tree(of key: KeyProgress) -> JSONTree {
    let number: JSONTree = key.messageNumber.map { ["number": .number("\($0)")] } ?? [:]
    return number.adding([
      "key": .string(key.key),
      "time": .string(key.time.text),
      "answer": .string("\(key.answer)"),
      "processed": .number("\(key.processed)"),
      "count": .number("\(key.count)"),
      "version": .number("\(key.version)"),
    ])
  }
}

extension SessionDocument {
  /// Reads a document.
  ///
  /// - Throws: ``MemberFault``, which names the first member that is missing or wrong.
  static func session(in root: JSONValue) throws(MemberFault) -> StoredSession {
    let document = DocumentReader(root)
    let format = try document.integer("uifusionSession")
    guard 1...5 ~= format else {
      throw MemberFault("uifusionSession", "is \(format), and this version reads 1 to 5")
    }
    let head = try document.object("head")
    let first = try head.integer("sequence")
    let entries = try document.array("entries").enumerated().map {
      (index, entry) throws(MemberFault) in
      try Self.entry(entry, sequence: first + 1 + index)
    }
    let keys =
      format == 1
      ? try document.array("answers").map(Self.answer) : try document.array("keys").map(Self.key)
    return StoredSession(
      id: try document.text("id", "a session's id", SessionID.init),
      viewModel: try document.string("viewModel"),
      parameters: try document.json("parameters") ?? [],
      identity: try document.has("identity") ? document.string("identity") : nil,
      creator: try document.has("creator") ? document.string("creator") : nil,
      name: try document.has("name") ? document.text("name", "a session's name", Self.name) : nil,
      created: try document.time("created"),
      used: try document.time("used"),
      head: StoredHead(
        sequence: first,
        version: try head.integer("version"),
        format: try head.integer("format"),
        state: try head.json("state") ?? Array("null".utf8),
        running: try head.strings("running")
      ),
      entries: entries,
      keys: keys + entries.compactMap(\.key),
      alarms: (try alarms(in: document) + messages(in: document)
        + foreignFollowings(in: document)).sorted()
    )
  }

  private static func name(_ text: String) -> String? {
    SessionName(text, of: "").map(\.text)
  }

  /// Reads the alarms; a document of an earlier build has none.
  private static func alarms(in document: DocumentReader) throws(MemberFault) -> [StoredAlarm] {
    guard document.has("alarms") else { return [] }
    return try document.array("alarms").map { (alarm) throws(MemberFault) in
      let name = AlarmName(try alarm.string("name"))
      let action = try alarm.json("action") ?? Array("null".utf8)
      let isForeign = alarm.has("foreign")
      let stored = Alarm(name, at: 0, json: action, isForeign: isForeign).stored
      return StoredAlarm(name.bytes, at: try alarm.time("time"), stored)
    }
  }

  private static func entry(
    _ entry: DocumentReader,
    sequence: Int
  ) throws(MemberFault) -> LogEntry {
    let outcome: LogEntry.Outcome =
      if entry.has("state") {
        .state(try entry.json("state") ?? Array("null".utf8))
      } else if entry.has("patch") {
        .patch(try entry.json("patch") ?? [])
      } else {
        .unchanged
      }
    return LogEntry(
      sequence: sequence,
      version: try entry.integer("version"),
      time: try entry.time("time"),
      outcome: outcome,
      running: .all(try entry.strings("running")),
      trace: try entry.array("trace").flatMap { $0.value.text + [UInt8(ascii: "\n")] },
      key: entry.has("key")
        ? try key(entry.object("key"))
        : entry.has("answer") ? try answer(entry.object("answer")) : nil
    )
  }

  private static func answer(named name: String) -> KeyProgress.Answer? {
    [.full, .minimal, .queued].first { "\($0)" == name }
  }

  /// Reads a key; without a digest, a store takes any body for the same.
  private static func key(_ key: DocumentReader) throws(MemberFault) -> KeyProgress {
    let name = try key.string("key")
    // Without its number, no message of the sender would be applied.
    let isNumbered = KeyProgress.isMessage(name) || key.has("number")
    return KeyProgress(
      key: name,
      digest: isNumbered ? KeyProgress.digest(of: Int64(try key.integer("number"))) : [],
      answer: try key.text("answer", "full, minimal or queued", Self.answer(named:)),
      processed: try key.integer("processed"),
      count: try key.integer("count"),
      version: try key.integer("version"),
      time: try key.time("time")
    )
  }

  /// Reads an answer of format 1, which is to Inputs that are all processed.
  private static func answer(_ answer: DocumentReader) throws(MemberFault) -> KeyProgress {
    KeyProgress(
      key: try answer.string("key"),
      digest: [],
      answer: try answer.text("kind", "unsettled, settled, brief or queued") { kind in
        ["unsettled": .full, "settled": .full, "brief": .minimal, "queued": .queued][kind]
      },
      processed: 1,
      count: 1,
      version: try answer.integer("version"),
      time: try answer.time("time")
    )
  }
}

extension StoredSession {
  /// The members of the session's name, identity and creator, if it has them.
  var belonging: JSONTree { UIFusionTools.belonging(name, identity, creator) }
}

/// Returns the members of a session's name, identity and creator, if it has them.
func belonging(_ name: String?, _ identity: String?, _ creator: String? = nil) -> JSONTree {
  let members = [("name", name), ("identity", identity), ("creator", creator)]
  return .object(
    members.compactMap { member, value in
      value.map { JSONTree.Member(member, .string($0)) }
    }
  )
}

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
      let marks: [(String, Bool)] = [("foreign", message.isForeign), ("reply", message.isReply)]
      return marks.reduce(tree) { tree, mark in mark.1 ? tree.adding([mark.0: true]) : tree }
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
        isForeign: member.has("foreign"),
        isReply: member.has("reply")
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
  /// Whether the alarm is a reply.
  fileprivate var isReply: Bool { Message(AlarmName(bytes: name), action)?.isReply == true }

  /// Whether foreign Inputs caused the alarm, the message, or the followings that the record lists.
  var isForeign: Bool {
    let name = AlarmName(bytes: name)
    if isMessage { return Message(name, action)?.isForeign == true }
    return isRecord || Alarm(name, at: 0, stored: action).isForeign
  }
}
