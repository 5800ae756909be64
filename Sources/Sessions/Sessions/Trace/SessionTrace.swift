import Synchronization
package import UIFusionKit

/// The newest events of a session that clients watch.
///
/// Followers read at their own pace. What is older than the bounds allow is dropped, and a follower who has not read it
/// is told how much.
package final class SessionTrace: Sendable {
  /// The most events, and the most bytes of what they tell.
  package static let limits = (events: 4_096, bytes: 256 << 10)

  private struct Contents {
    var events: [SessionTraceEvent] = []
    var bytes = 0
    var last = 0
    var followers = Followers()
    /// The number of the event from which the next ones follow: those of its turn, and what ends an effect.
    private var cause: Int?
    /// The numbers of the events with which effects have started, by the effects' numbers.
    private var starts: [Int: Int] = [:]

    mutating func add(_ kind: SessionTraceEvent.Kind, _ time: WallTime) {
      last += 1
      events.append(SessionTraceEvent(number: last, time: time, cause: cause(of: kind), kind: kind))
      bytes += kind.size
      switch kind {
      case .note(.event(let line, let effect), _):
        if line.isOfInput || effect != nil { cause = last }
      case .note(.work(let work, .started), _): starts[work.number] = last
      case .note(.work(_, .cancelled), _): break
      case .note(.alarm(let change), _): if change.isStart { cause = last }
      case .note(.work, _), .note(.followed, _): cause = last
      case .note(.began, _): break
      case .asleep, .moved, .over: (cause, starts) = (nil, [:])
      }
    }

    private mutating func cause(of kind: SessionTraceEvent.Kind) -> Int? {
      switch kind {
      case .note(.event(_, let effect?), _): return starts[effect]
      case .note(.event(let line, nil), _): return line.isOfInput ? nil : cause
      case .note(.work(_, .started), _): return cause
      case .note(.work(let work, let step), _):
        let start = starts.removeValue(forKey: work.number)
        return step == .cancelled ? cause : start
      case .note(.alarm(let change), _): return change.isStart ? nil : cause
      case .note(.followed, _), .note(.began, _), .asleep, .moved, .over: return nil
      }
    }

    mutating func trim() {
      guard events.count > limits.events || bytes > limits.bytes else { return }
      // Some more, so that not every event moves all others.
      let (most, size) = (limits.events * 3 / 4, limits.bytes * 3 / 4)
      var count = 0
      while events.count - count > 1, events.count - count > most || bytes > size {
        bytes -= events[count].kind.size
        count += 1
      }
      events.removeFirst(count)
    }
  }

  /// The text that tells a client's event ids from those of another trace of the same session.
  package let name: String
  private let contents = Mutex(Contents())

  init(began time: WallTime) {
    name = String(time.milliseconds, radix: 36)
  }

  var followers: Int { contents.withLock { Int($0.followers.count) } }

  /// Registers `wake`, which is called after new events, on the thread that adds them.
  func follow(_ wake: @escaping @Sendable () -> Void) -> Following {
    contents.withLock { contents in
      let number = contents.followers.add(Followers.Element(wake: wake, follower: nil))
      return Following(trace: self, last: contents.last, number: number)
    }
  }

  package struct Following: Sendable {
    package let trace: SessionTrace
    /// The number of the newest event at the beginning; 0 before the first.
    package let last: Int
    fileprivate let number: Int
  }

  /// Returns whether that was the last follower.
  func unfollow(_ following: Following) -> Bool {
    contents.withLock { contents in
      contents.followers.remove(following.number)
      return contents.followers.isEmpty
    }
  }

  func add(_ kinds: [SessionTraceEvent.Kind], _ time: WallTime) {
    let followers = contents.withLock { contents in
      for kind in kinds { contents.add(kind, time) }
      contents.trim()
      return contents.followers
    }
    followers.forEach { $0.wake() }
  }

  /// Returns the first event after a number, and how many between were dropped; nil if there is none yet.
  package func event(after number: Int) -> (event: SessionTraceEvent, dropped: Int)? {
    contents.withLock { contents in
      guard number < contents.last, let first = contents.events.first else { return nil }
      let index = max(0, number + 1 - first.number)
      return (contents.events[index], max(0, first.number - number - 1))
    }
  }
}

/// An event of a session's trace.
package struct SessionTraceEvent: Sendable {
  package enum Kind: Sendable {
    case note(TurnNote, version: Int)
    case asleep
    /// The session is another node's now, where its trace goes on.
    case moved
    case over(SessionEnd)
  }

  package let number: Int
  package let time: WallTime
  /// The number of the event from which this one follows: an Input, an action of an effect, an alarm, or the start of
  /// the effect.
  package let cause: Int?
  package let kind: Kind
}

extension SessionTraceEvent.Kind {
  /// The bytes that count towards the limit.
  fileprivate var size: Int {
    let least = 128
    switch self {
    case .note(.event(let line, _), _): return least + line.count
    case .note(.alarm(let change), _): return least + change.name.bytes.count + change.size
    case .note(.began(let running, let alarms), _):
      let work = running.reduce(least) { $0 + least + ($1.id?.utf8.count ?? 0) }
      return alarms.reduce(work) { $0 + least + $1.name.bytes.count + $1.action.count }
    case .note(.work(let work, _), _): return least + (work.id?.utf8.count ?? 0)
    case .note(.followed, _), .asleep, .moved, .over: return least
    }
  }
}

extension AlarmChange {
  /// Whether a turn begins with it.
  fileprivate var isStart: Bool {
    switch kind {
    case .rang, .handedOver: true
    case .set, .cancelled, .kept: false
    }
  }
}

extension [UInt8] {
  fileprivate var isOfInput: Bool { starts(with: "{\"input\":".utf8) }
}
