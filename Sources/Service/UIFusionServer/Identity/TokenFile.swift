import FusionCommandLine
import FusionKeyedDigest
import UIFusionKit

/// The tokens of a file, which is read again when it changes.
struct TokenFile: Sendable {
  /// The lines by the keyed digests of their digests, so that the time of a search reveals nothing of them.
  let lines: ReloadedFile<[[UInt8]: TokenLine]>
  private let index: KeyedDigest

  /// Reads the file; malformed lines are logged, and the others are used.
  init(_ path: String, _ log: Log) throws(CommandError) {
    var generator = SystemRandomNumberGenerator()
    let index = KeyedDigest(
      secret: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    )
    self.index = index
    lines = try ReloadedFile(path, "tokens", log) { bytes, _ in
      var lines: [[UInt8]: TokenLine] = [:]
      for (place, text) in bytes.numberedLines {
        do throws(TokenLine.Fault) {
          let line = try TokenLine(text)
          lines[index.digest(of: line.digest)] = line
        } catch {
          log.warning(
            "a line of the tokens is not used",
            ("file", path),
            ("line", "\(place)"),
            ("error", error.text)
          )
        }
      }
      log.info("tokens read", ("file", path), ("tokens", "\(lines.count)"))
      return lines
    }
  }

  /// Returns the identity that a token stands for; nil if there is none.
  func identity(of token: String?) -> Identity? {
    guard let token else { return nil }
    let digest = KeyedDigest.hash(Array(token.utf8))
    let line = lines.contents[index.digest(of: digest)]
    guard let line, KeyedDigest.areEqual(line.digest, digest) else { return nil }
    return line.identity
  }
}

extension [UInt8] {
  /// The lines that are neither blank nor comments, without white space at their ends, with their numbers in the
  /// file.
  var numberedLines: [(number: Int, text: ArraySlice<UInt8>)] {
    split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .map { (number: $0 + 1, text: $1.trimmed) }
      .filter { !$0.text.isEmpty && $0.text.first != UInt8(ascii: "#") }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without blanks, tabs and line ends at both ends.
  var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return [] }
    return self[first...last]
  }
}
