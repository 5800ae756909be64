import Glibc

/// A command line that cannot be understood; the description says what to write instead.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension UsageError {
  /// The end of a message about a value that must not be printed.
  static let withheld = " (the value is not shown, as it may contain a password)"

  /// Returns a word of a command line as a message may repeat it.
  package static func naming(_ word: String) -> String {
    mayContainPassword(word) ? "a word" + withheld : word
  }

  /// Makes the message for a flag that the command does not have.
  init(unknown argument: String, _ names: [String], _ program: String) {
    guard argument.hasPrefix("-") else {
      self.init(
        "\(Self.naming(argument)) is not a flag: flags start with --, see \(program) --help"
      )
      return
    }
    let start = argument.prefix { $0 != "=" }
    let similar = nearestWord(to: start, in: names.map { "--" + $0 })
    let advice = similar.map { "did you mean \($0)?" } ?? "see \(program) --help"
    self.init("unknown flag \(start): \(advice)")
  }
}

/// Whether a text looks like the address of a server, a URI (RFC 3986 §3) or `keyword=value`, and so may
/// contain a password.
package func mayContainPassword(_ text: String) -> Bool {
  if ["/", "./", "../", "~"].contains(where: text.hasPrefix) { return false }
  return text.contains(":/") || text.contains(":") && text.contains("@")
    || text.contains(#/\b(password|host|hostaddr|dbname)\s*=/#.ignoresCase())
}

/// Returns the word that was probably meant; nil if none is within two edits.
package func nearestWord(to word: some StringProtocol, in words: [String]) -> String? {
  words.map { (word: $0, distance: distance($0, word)) }
    .min { $0.distance < $1.distance }
    .flatMap { $0.distance <= 2 ? $0.word : nil }
}

/// Counts the letters to add, drop or change (Levenshtein distance).
private func distance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let substitution = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}

/// A failure of a command; the description says what to do about it.
package struct CommandError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// Returns the system's message for an error number (strerror(3)).
package func systemError(_ number: Int32 = errno) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
