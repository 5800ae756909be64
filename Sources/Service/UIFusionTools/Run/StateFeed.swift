import FusionCluster
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// The lines of a session's stream, in the order in which they come.
///
/// Used by one task.
final class StateFeed {
  enum Item {
    case line(JSONTree)
    /// The stream was broken off, or refused.
    case closed
  }

  /// A message of the link's thread or the clock, with the number of the stream or the wait that it belongs to.
  private enum Message: Sendable {
    case piece([UInt8], of: Int)
    case end(of: Int)
    case late(Int)
  }

  private let service: ScenarioService
  private let path: String
  private let person: String?
  private let messages: AsyncStream<Message>.Continuation
  private var iterator: AsyncStream<Message>.Iterator
  private var transfer: OpenTransfer?
  private var streams = 0
  private var waits = 0
  private var rest: [UInt8] = []
  private var lines: [JSONTree] = []

  init(_ service: ScenarioService, _ path: String, as person: String?) {
    let (stream, continuation) = AsyncStream<Message>.makeStream()
    (self.service, self.path, self.person) = (service, path, person)
    (messages, iterator) = (continuation, stream.makeAsyncIterator())
  }

  deinit { transfer?.cancel() }

  /// Opens the stream, which begins with the current State; an open one is broken off.
  func open() {
    transfer?.cancel()
    streams += 1
    (rest, lines) = ([], [])
    let (number, messages) = (streams, messages)
    transfer = service.follow(path, as: person) { piece in
      messages.yield(piece.map { .piece($0, of: number) } ?? .end(of: number))
    }
  }

  /// Waits for the next line; returns nil if none comes in time.
  func next(until deadline: Duration) async -> Item? {
    waits += 1
    let (number, messages, time) = (waits, messages, service.time)
    let alarm = Task {
      try await time.sleep(until: deadline)
      messages.yield(.late(number))
    }
    defer { alarm.cancel() }
    while lines.isEmpty {
      switch await iterator.next(isolation: #isolation) {
      case .piece(let bytes, let stream) where stream == streams: take(bytes)
      case .end(let stream) where stream == streams: return .closed
      case .late(let wait) where wait == number: return nil
      case .piece, .end, .late: continue
      case nil: return .closed
      }
    }
    return .line(lines.removeFirst())
  }

  /// Keeps the lines that are complete; an empty one is the heartbeat.
  private func take(_ bytes: [UInt8]) {
    rest += bytes
    let parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = parts.last.map(Array.init) ?? []
    for part in parts.dropLast() where part.contains(where: { $0 > UInt8(ascii: " ") }) {
      // A line that is no event has no version either.
      lines.append(tree(Array(part)))
    }
  }
}
