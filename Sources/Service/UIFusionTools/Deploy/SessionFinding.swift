import FusionSessions
import FusionStrictJSON

/// The result of the check of one stored session.
struct SessionFinding: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    /// Each version that can be compared comes out the same.
    case same
    /// The State can be read, but a version comes out otherwise, or an action is no longer known.
    case different
    /// The State can be read; the view model's actions cannot be replayed.
    case notReplayed = "not-replayed"
    /// The State cannot be read by today's view model.
    case unreadable
    /// The stored data is damaged, whichever program reads it.
    case damaged
    /// The check of the session ended the process, or did not end.
    case crashed
    /// Not checked, as other sessions of the view model ended the process.
    case unchecked

    /// Whether the service could not go on with the session.
    var isRefused: Bool { ![.same, .different, .notReplayed].contains(self) }
  }

  let session: SessionID
  let viewModel: String
  let kind: Kind
  /// The reason or the differences, for people; empty if there is nothing to say.
  var lines: [String] = []
  /// The number of versions that come out the same.
  var same = 0
  /// The number of versions that were not compared, by reason.
  var skipped: [String: Int] = [:]
  /// The members in which stored States differ from their current type.
  var changes = StateChanges()
}

extension SessionFinding {
  /// The finding as an object of JSON.
  var json: JSONTree {
    [
      "session": .string("\(session)"), "viewModel": .string(viewModel),
      "result": .string(kind.rawValue), "lines": .array(lines.map(JSONTree.string)),
      "same": .number("\(same)"),
      "skipped": .array(
        skipped.sorted { $0.key < $1.key }.map {
          ["reason": .string($0.key), "versions": .number("\($0.value)")]
        }
      ),
      "changes": changes.json,
    ]
  }

  /// Reads the finding that ``json`` has written.
  init(_ line: DocumentReader) throws(MemberFault) {
    session = try line.text("session", "a session's id", SessionID.init)
    viewModel = try line.string("viewModel")
    kind = try line.text("result", "a result", Kind.init)
    lines = try line.strings("lines")
    same = try line.integer("same")
    for reason in try line.array("skipped") {
      skipped[try reason.string("reason")] = try reason.integer("versions")
    }
    let members = try line.object("changes")
    changes.added = try members.strings("added")
    changes.dropped = try members.strings("dropped")
    changes.renamed = try members.strings("renamed")
  }
}
