import FusionCommandLine
import FusionHTTPToolkit
import FusionKeyedDigest
import Synchronization

/// The tokens of a file, which is read again when it changes.
final class TokenFile: Sendable {
  private struct State {
    /// The lines by the keyed digests of their digests, so that the time of a search tells nothing of them.
    var lines: [[UInt8]: TokenLine] = [:]
    /// The file's mark when it was last read, or could not be.
    var mark: FileMark?
  }

  private let path: String
  private let log: Log
  private let index: KeyedDigest
  private let state: Mutex<State>

  /// Reads the file; lines that are none are logged, and leave the others alone.
  init(_ path: String, _ log: Log) throws(ServiceError) {
    self.path = path
    self.log = log
    var generator = SystemRandomNumberGenerator()
    index = KeyedDigest(secret: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    state = Mutex(State(mark: FileMark(path: path)))
    do throws(CommandError) {
      try read()
    } catch {
      throw ServiceError(description: "--auth-tokens: \(error)")
    }
  }

  /// Returns the identity that a token stands for; nil where it stands for none.
  func identity(of token: String?) -> Identity? {
    guard let token else { return nil }
    let digest = KeyedDigest.hash(Array(token.utf8))
    let line = state.withLock { $0.lines[index.digest(of: digest)] }
    guard let line, KeyedDigest.areEqual(line.digest, digest) else { return nil }
    return line.identity
  }

  /// Reads the file again if it has changed; waits for the disk.
  func check() {
    let mark = FileMark(path: path)
    if state.withLock({ $0.mark != mark }) { reload() }
  }

  /// Reads the file again; a file that cannot be read leaves the tokens as they were, and is read at the next check.
  func reload() {
    // Before the file: a change meanwhile is seen at the next check.
    let mark = FileMark(path: path)
    do throws(CommandError) {
      try read()
      state.withLock { $0.mark = mark }
    } catch {
      log.error(
        "cannot read the tokens: the old ones stay in use",
        ("error", error.description)
      )
    }
  }

  private func read() throws(CommandError) {
    let bytes = try Files.read(path)
    var lines: [[UInt8]: TokenLine] = [:]
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (place, text) in texts.enumerated() {
      let isBlank = text.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
      if isBlank || text.first == UInt8(ascii: "#") { continue }
      do throws(TokenLine.Fault) {
        let line = try TokenLine(text)
        lines[index.digest(of: line.digest)] = line
      } catch {
        log.warning(
          "a line of the tokens is not used",
          ("file", path),
          ("line", "\(place + 1)"),
          ("error", error.text)
        )
      }
    }
    state.withLock { $0.lines = lines }
    log.info("tokens read", ("file", path), ("tokens", "\(lines.count)"))
  }
}
