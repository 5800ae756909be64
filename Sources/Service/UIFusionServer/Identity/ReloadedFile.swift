import FusionCommandLine
import FusionHTTPToolkit
import Synchronization

/// The contents of a file, which is read again when it changes.
///
/// The start needs a file without faults. Later the faulty parts are logged, and the others are used: a part that
/// was removed is never used again because of a fault elsewhere.
final class ReloadedFile<Contents: Sendable>: Sendable {
  private struct State {
    var contents: Contents
    /// The file's mark when it was last read.
    var mark: FileMark?
    /// The number of times that the file was read.
    var readings = 1
  }

  private let path: String
  /// The name of the contents in the log: `tokens`.
  private let name: String
  private let log: Log
  private let parse: @Sendable ([UInt8], _ report: Report) throws(CommandError) -> Contents
  private let state: Mutex<State>

  init(
    _ path: String,
    _ name: String,
    _ log: Log,
    parse: @escaping @Sendable ([UInt8], _ report: Report) throws(CommandError) -> Contents
  ) throws(CommandError) {
    (self.path, self.name, self.log, self.parse) = (path, name, log, parse)
    // Taken before the file is read, so that the next check sees a change meanwhile.
    let mark = FileMark(path: path)
    let contents = try parse(try Files.readText(path)) { fault throws(CommandError) in throw fault }
    state = Mutex(State(contents: contents, mark: mark))
  }

  /// A receiver of what is wrong with a part of the file; throws if the whole file is refused for it.
  typealias Report = (CommandError) throws(CommandError) -> Void

  var contents: Contents { state.withLock { $0.contents } }

  /// The number of times that the file was read; until it changes, the contents stay the same.
  var readings: Int { state.withLock { $0.readings } }

  /// Reads the file again if it has changed; waits for the disk.
  func check() {
    let mark = FileMark(path: path)
    if state.withLock({ $0.mark != mark }) { reload() }
  }

  /// Reads the file again; one that cannot be read leaves the contents as they were, and is read at the next check.
  func reload() {
    let mark = FileMark(path: path)
    do throws(CommandError) {
      let contents = try parse(try Files.readText(path)) { [log, name] fault in
        log.error("a part of the \(name) is not used", ("error", fault.description))
      }
      state.withLock { $0 = State(contents: contents, mark: mark, readings: $0.readings + 1) }
    } catch {
      log.error(
        "cannot read the \(name): the old ones stay in use",
        ("error", error.description)
      )
    }
  }
}
