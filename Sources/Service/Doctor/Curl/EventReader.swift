import FusionCommandLine
import UIFusionKit

/// A stream of events that `curl` reads, with the arrival time of each.
final class EventReader {
  let request: CurlRequest
  /// The time of the request.
  let started: Duration
  /// The time of the last bytes, or of the request before any.
  private(set) var lastArrival: Duration
  private(set) var head: MessageHead?
  /// The time from the last bytes to the end; nil while the stream is open.
  private(set) var silenceBeforeEnd: Duration?

  private let process: Subprocess
  private let time: any TimeSource
  private var parser = EventParser()
  private var items: [Arrival] = []

  struct Arrival {
    let item: EventParser.Item
    let moment: Duration
  }

  init(_ process: Subprocess, request: CurlRequest, time: any TimeSource) {
    self.process = process
    self.request = request
    self.time = time
    started = time.now
    lastArrival = started
  }

  deinit { process.stop(within: .milliseconds(200)) }

  /// Reads the bytes that have arrived; does not wait.
  func read() {
    guard silenceBeforeEnd == nil else { return }
    // In this order, so that the last output is read.
    let hasEnded = process.status != nil
    let piece = process.newOutput()
    let moment = time.now
    if !piece.isEmpty {
      lastArrival = moment
      for item in parser.parse(piece) {
        if case .head(let found) = item { head = found }
        items.append(Arrival(item: item, moment: moment))
      }
    }
    if hasEnded { silenceBeforeEnd = moment - lastArrival }
  }

  /// Waits for the next item of a kind; returns nil if none comes before the deadline or the stream's end.
  func next(
    until deadline: Duration,
    where isWanted: (EventParser.Item) -> Bool
  ) async throws -> Arrival? {
    while true {
      read()
      while !items.isEmpty {
        let arrival = items.removeFirst()
        if isWanted(arrival.item) { return arrival }
      }
      if silenceBeforeEnd != nil || time.now >= deadline { return nil }
      try await time.sleep(for: Curl.pause)
    }
  }

  /// Waits for the head and leaves the items.
  func waitForHead(within limit: Duration) async throws {
    let deadline = time.now + limit
    while head == nil, silenceBeforeEnd == nil, time.now < deadline {
      read()
      try await time.sleep(for: Curl.pause)
    }
  }

  /// Waits for the next event of a version or a later one.
  func event(from version: Int = 0, within limit: Duration) async throws -> Arrival? {
    try await next(until: time.now + limit) { item in
      if case .event(_, let found?) = item { found >= version } else { false }
    }
  }
}
