import FusionCommandLine
import FusionSessions

/// The sessions that a check leaves out: those by id without a word, those of view models as not checked.
///
/// As a file: a line `session ID` or `view-model NAME` for each.
struct SkippedSessions: Sendable, Equatable {
  private var ids: Set<SessionID> = []
  private var viewModels: Set<String> = []

  func contains(_ id: SessionID) -> Bool { ids.contains(id) }

  func contains(viewModel: String) -> Bool { viewModels.contains(viewModel) }

  mutating func insert(_ id: SessionID) { ids.insert(id) }

  mutating func insert(viewModel: String) { viewModels.insert(viewModel) }
}

extension SkippedSessions {
  var text: String {
    (ids.map { "session \($0)\n" } + viewModels.sorted().map { "view-model \($0)\n" }).joined()
  }

  /// Reads a file.
  ///
  /// - Throws: ``CommandError``, which names the line that is wrong.
  init(file: String) throws(CommandError) {
    let text = String(decoding: try Files.readText(file), as: UTF8.self)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch (words.first, words.count == 2 ? SessionID(words[1]) : nil) {
      case ("session", let id?): insert(id)
      case ("view-model", _) where words.count == 2: insert(viewModel: words[1])
      default:
        throw CommandError("line \(index + 1) of \(file) must be session ID, or view-model NAME")
      }
    }
  }
}
