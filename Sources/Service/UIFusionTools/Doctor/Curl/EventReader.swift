import UIFusionKit

/// A stream of events that `curl` reads, with the moment at which each came.
final class EventReader {
  let request: CurlRequest
  /// When it was begun.
  let started: Duration
  /// When something came last: at first, when it was begun.
  private(set) var lastArrival: Duration
  private(set) var head: MessageHead?
  /// Whether it has ended, and how long after the last arrival.
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

  /// Takes in what has come; does not wait.
  func read() {
    guard silenceBeforeEnd == nil else { return }
    // In this order: what it wrote before its end is read.
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

  /// The next of those that are asked for; nil where none comes in time, or it ends before.
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

  /// Waits until it has begun; what comes then is not taken.
  func waitForHead(within limit: Duration) async throws {
    let deadline = time.now + limit
    while head == nil, silenceBeforeEnd == nil, time.now < deadline {
      read()
      try await time.sleep(for: Curl.pause)
    }
  }

  /// The next event of that version, or of a later one.
  func event(from version: Int = 0, within limit: Duration) async throws -> Arrival? {
    try await next(until: time.now + limit) { item in
      if case .event(_, let found?) = item { found >= version } else { false }
    }
  }
}
