import Testing

/// The form of doc comments (Swift API Design Guidelines), and the names that are not used.
struct `The wording` {
  /// Openings that hide the subject of a comment.
  private static let riddles: Set = [
    "What", "That", "Those", "Who", "Whose", "Has", "Lets", "Of", "So", "In which", "As", "How",
    "It", "Its", "They", "Where", "When", "Why", "Nobody", "Only", "By",
  ]

  @Test func `of a doc comment begins with its subject`() throws {
    for file in SourceTree.swiftFiles(in: "Sources") {
      for opening in try file.docCommentOpenings where isRiddle(opening) {
        Issue.record("\(file.path): \(opening)")
      }
    }
  }

  /// Unclear names, with the field's names that replace them.
  private static let bannedNames = [
    "Workshop": "CommitScheduler", "Turns": "DependencyQueue", "Line": "ConnectionWorker",
    "Tail": "UncoveredEntries", "Positions": "LogIndex", "Draft": "EncodingBuffer",
    "TopicLine": "TopicOutbox", "Holdings": "OwnershipTable",
    "Unowned": "OfflineEditor", "PunctualStore": "TimeoutStore", "StoreWatch": "StoreHealth",
    "Journey": "ForwardingRetry", "Inquiry": "VersionProbe", "NodeGate": "NodeRequestVerifier",
    "RequestStamp": "Nonce", "LateAnswer": "DeferredResponse", "UnfitState": "InvalidState",
    "UsualLength": "SizeHint", "Rehearsal": "DryRun", "SearchPlaces": "…Quota",
    "ClientPlaces": "…Quota", "Arrival": "ConnectionInfo",
  ]

  @Test(arguments: bannedNames.keys.sorted())
  func `has no type called`(name: String) {
    #expect(DeclaredNames.all.types[name] == nil, "say \(Self.bannedNames[name] ?? "")")
  }

  @Test func `has no type called Manager, Helper or Utils`() {
    for name in DeclaredNames.all.types.keys {
      let isVague = ["Manager", "Helper", "Helpers", "Utils"].contains(where: name.hasSuffix)
      #expect(!isVague || name == "FileManager", "\(name)")
    }
  }

  private func isRiddle(_ opening: String) -> Bool {
    let words = opening.split(separator: " ").prefix(2).map(String.init)
    return Self.riddles.contains(words.first ?? "")
      || Self.riddles.contains(words.joined(separator: " "))
  }
}
