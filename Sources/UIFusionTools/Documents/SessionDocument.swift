import Sessions
import StrictJSON

/// A session as one JSON document: all that its store keeps of it, as far as reading goes back.
///
/// States, patches and traces stand in it as JSON, times as RFC 3339, digests in hexadecimal.
enum SessionDocument {
  /// The number of the document's shape, in its member `uifusionSession`.
  static let format = 1

  static func tree(of session: StoredSession) throws -> JSONTree {
    let head = session.head
    // Those of the entries stand there.
    let keys = Set(session.entries.compactMap(\.answer?.key))
    return [
      "uifusionSession": .number("\(format)"),
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
      "entries": .array(try session.entries.map(tree)),
      "answers": .array(try session.answers.filter { !keys.contains($0.key) }.map(tree)),
    ]
  }

  private static func tree(of entry: JournalEntry) throws -> JSONTree {
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
      "running": .array(entry.running.map { .string($0) }),
      "trace": .array(try lines.map { try JSONTree(parsing: $0.text) }),
    ]
    let answer: JSONTree = try entry.answer.map { ["answer": try tree(of: $0)] } ?? [:]
    return start.adding(outcome).adding(answer)
  }

  private static func tree(of answer: KeyedAnswer) throws -> JSONTree {
    let receipt = answer.receipt
    return [
      "key": .string(answer.key),
      "body": .string(hexadecimal(answer.body)),
      "time": .string(answer.time.text),
      "kind": .string(receipt.kind.name),
      "version": .number("\(receipt.version)"),
      "preferences": .string(receipt.preferences),
      "state": receipt.state.isEmpty ? nil : try JSONTree(parsing: receipt.state),
    ]
  }
}

extension SessionDocument {
  /// Reads a document.
  ///
  /// - Throws: ``MemberFault``, which names the first member that is missing or makes no sense.
  static func session(in root: JSONValue) throws(MemberFault) -> StoredSession {
    let document = DocumentReader(root)
    let format = try document.integer("uifusionSession")
    guard format == Self.format else {
      throw MemberFault("uifusionSession", "is \(format), and this version reads \(Self.format)")
    }
    let head = try document.object("head")
    let first = try head.integer("sequence")
    let entries = try document.array("entries").enumerated().map {
      (index, entry) throws(MemberFault) in
      try Self.entry(entry, sequence: first + 1 + index)
    }
    let answers = try document.array("answers").map { answer throws(MemberFault) in
      try Self.answer(answer)
    }
    return StoredSession(
      id: try document.text("id", "a session's id", SessionID.init),
      viewModel: try document.string("viewModel"),
      parameters: try document.json("parameters") ?? [],
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
      answers: answers + entries.compactMap(\.answer)
    )
  }

  private static func entry(
    _ entry: DocumentReader,
    sequence: Int
  ) throws(MemberFault) -> JournalEntry {
    let outcome: JournalEntry.Outcome =
      if entry.has("state") {
        .state(try entry.json("state") ?? Array("null".utf8))
      } else if entry.has("patch") {
        .patch(try entry.json("patch") ?? [])
      } else {
        .unchanged
      }
    return JournalEntry(
      sequence: sequence,
      version: try entry.integer("version"),
      time: try entry.time("time"),
      outcome: outcome,
      running: try entry.strings("running"),
      trace: try entry.array("trace").flatMap { $0.value.text + [UInt8(ascii: "\n")] },
      answer: entry.has("answer") ? try answer(entry.object("answer")) : nil
    )
  }

  private static func answer(_ answer: DocumentReader) throws(MemberFault) -> KeyedAnswer {
    KeyedAnswer(
      key: try answer.string("key"),
      body: try answer.text("body", "a digest in hexadecimal", bytes),
      receipt: Receipt(
        try answer.text("kind", "unsettled, settled, brief or queued", Receipt.Kind.init(name:)),
        version: try answer.integer("version"),
        state: try answer.json("state") ?? [],
        preferences: try answer.string("preferences")
      ),
      time: try answer.time("time")
    )
  }
}

extension Receipt.Kind {
  fileprivate var name: String {
    switch self {
    case .unsettled: "unsettled"
    case .settled: "settled"
    case .brief: "brief"
    case .queued: "queued"
    }
  }

  fileprivate init?(name: String) {
    guard let kind = [Self.unsettled, .settled, .brief, .queued].first(where: { $0.name == name })
    else { return nil }
    self = kind
  }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { String(String(Int($0) + 256, radix: 16).dropFirst()) }.joined()
}

private func bytes(_ text: String) -> [UInt8]? {
  let digits = text.compactMap(\.hexDigitValue)
  guard digits.count == text.count, digits.count == 64 else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}
