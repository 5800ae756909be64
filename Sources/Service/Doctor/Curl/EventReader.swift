import FusionCommandLine
import FusionStrictJSON
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
  private var items: [ReceivedItem] = []

  struct ReceivedItem {
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
        items.append(ReceivedItem(item: item, moment: moment))
      }
    }
    if hasEnded { silenceBeforeEnd = moment - lastArrival }
  }

  /// Waits for the next item of a kind; returns nil if none comes before the deadline or the stream's end.
  func next(
    until deadline: Duration,
    where isWanted: (EventParser.Item) -> Bool
  ) async throws -> ReceivedItem? {
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
  func event(from version: Int = 0, within limit: Duration) async throws -> ReceivedItem? {
    try await next(until: time.now + limit) { item in
      if case .event(_, let found?) = item { found >= version } else { false }
    }
  }
}

/// An incremental parser of an answer with events (HTML §9.2.6).
struct EventParser {
  enum Item: Sendable, Equatable {
    case head(MessageHead)
    /// An event with data, and the version in it.
    case event(name: String, version: Int?)
    /// A comment line: the heartbeat.
    case comment
  }

  private var rest: [UInt8] = []
  private var hasHead = false
  private var name = ""
  private var data = ""

  /// Parses the next bytes and returns the complete items.
  mutating func parse(_ piece: [UInt8]) -> [Item] {
    rest += piece
    var items: [Item] = []
    if !hasHead {
      guard let head = MessageHead(takenFrom: &rest) else { return [] }
      hasHead = true
      items.append(.head(head))
    }
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      var line = String(decoding: rest[..<end], as: UTF8.self)
      rest.removeSubrange(...end)
      if line.hasSuffix("\r") { line.removeLast() }
      if let item = take(line) { items.append(item) }
    }
    return items
  }

  private mutating func take(_ line: String) -> Item? {
    if line.hasPrefix(":") { return .comment }
    guard line.isEmpty else {
      if line.hasPrefix("event:") { name = value(of: line) }
      if line.hasPrefix("data:") { data += value(of: line) }
      return nil
    }
    defer { (name, data) = ("", "") }
    guard !data.isEmpty else { return nil }
    let document = try? JSONDocument(Array(data.utf8))
    let version = document.flatMap { JSONTree($0.root)["version"]?.number }
    return .event(name: name, version: version.map { Int($0) })
  }

  private func value(of line: String) -> String {
    String(line.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
  }
}
