/// The alarms and messages of one view model, and the sessions that it follows.
///
/// Knows neither clock nor store. A class, so that it costs an engine without alarms a single word.
final class AlarmBook {
  /// The maximum number of alarms and messages per session.
  static let countLimit = 1_000
  /// The maximum total size in bytes of a session's alarms and messages, names and actions together.
  static let byteLimit = 256 << 10
  /// The maximum length of an alarm's name in bytes, imposed by a store's index.
  static let nameLimit = 1_024

  private struct Due: Comparable {
    let time: Int64
    let name: AlarmName

    static func < (a: Due, b: Due) -> Bool {
      a.time == b.time ? a.name < b.name : a.time < b.time
    }
  }

  private var alarms: [AlarmName: Alarm] = [:]
  /// The alarms, sorted by time, then by name.
  private var order = SortedList<Due>()
  /// All names, sorted, to find those of a child.
  private var names = SortedList<AlarmName>()
  private var bytes = 0

  /// The requests for alarms of a view model without effects.
  let requests: AlarmRequests?
  /// The task that waits for the alarm that is due first, in process.
  var timer: Task<Void, Never>?
  var outbox = Outbox()
  /// The followed sessions; nil for a view model that follows none.
  var following: FollowBook?

  init(_ alarms: [Alarm] = [], requests: AlarmRequests? = nil, followsSessions: Bool = false) {
    self.requests = requests
    let foreign = alarms.first { $0.name == .foreignFollowings }
    following = followsSessions ? FollowBook(foreign: foreign) : nil
    for alarm in alarms where alarm.name != .foreignFollowings { set(alarm) }
    outbox.restored = alarms.filter(\.name.isMessage)
  }

  /// Keeps a restored view model from being settled before the messages are that an earlier process has sent, and the
  /// alarms of refused ones have rung.
  func holdUnsettled(in graph: inout EffectGraph) {
    let names = alarms.values.filter { $0.name.isRefusal || Message($0) != nil }.map(\.name)
    guard !names.isEmpty else { return }
    let batch = graph.begin()
    for name in names {
      graph.retain(batch)
      outbox.hold([batch], until: name)
    }
    // Begun and held: it cannot settle here.
    graph.release(batch)
    outbox.restoredBatch = batch
  }

  deinit {
    timer?.cancel()
    for task in outbox.tasks.values { task.cancel() }
    following?.cancelAll()
  }

  /// The alarms, by time.
  var all: [Alarm] { order.elements.compactMap { alarms[$0.name] } }

  /// The messages, in order.
  var messages: [Message] {
    alarms.values.filter(\.name.isMessage).compactMap(Message.init).sorted { $0.number < $1.number }
  }

  var isEmpty: Bool { alarms.isEmpty }

  /// The time of the alarm that is due first.
  var next: Int64? { order.elements.first?.time }

  /// Sets an alarm, and replaces an alarm with the same name.
  func set(_ alarm: Alarm) {
    cancel(alarm.name)
    alarms[alarm.name] = alarm
    bytes += alarm.size
    if let message = Message(alarm) { outbox.note(message.number) }
    guard !alarm.name.isMessage else { return }
    order.insert(Due(time: alarm.time, name: alarm.name))
    names.insert(alarm.name)
  }

  /// Cancels an alarm; returns whether it was set.
  @discardableResult
  func cancel(_ name: AlarmName) -> Bool {
    guard let alarm = alarms.removeValue(forKey: name) else { return false }
    order.remove(Due(time: alarm.time, name: name))
    names.remove(name)
    bytes -= alarm.size
    return true
  }

  /// Returns the alarm that is due first, if it is due by `time`.
  func due(by time: Int64) -> Alarm? {
    guard let first = order.elements.first, first.time <= time else { return nil }
    return alarms[first.name]
  }

  /// Skips an alarm that cannot ring in this process, until the next start.
  func skip(_ alarm: Alarm) {
    order.remove(Due(time: alarm.time, name: alarm.name))
  }

  /// Returns the names of all alarms of a child and its descendants, given the child's name.
  func names(within scope: String) -> [AlarmName] {
    let start = Array("\(scope)/".utf8)
    let first = names.index(of: AlarmName(bytes: start))
    return Array(names.elements[first...].prefix { $0.bytes.starts(with: start) })
  }

  /// Throws if the changes would leave too many alarms, or alarms that are too large.
  func check(_ changes: [(name: AlarmName, alarm: Alarm?)]) throws(InvalidState) {
    var sizes: [AlarmName: Int] = [:]
    for (name, alarm) in changes {
      sizes[name] = alarm?.size ?? 0
      guard alarm != nil, name.bytes.count > Self.nameLimit else { continue }
      let start = String(decoding: name.bytes.prefix(64), as: UTF8.self)
      throw .alarm(start + "…", reason: "its id is longer than 1,024 bytes")
    }
    var (count, bytes) = (alarms.count, bytes)
    for (name, size) in sizes {
      let old = alarms[name]?.size ?? 0
      bytes += size - old
      count += (size > 0 ? 1 : 0) - (old > 0 ? 1 : 0)
    }
    let grows = sizes.contains { $0.value > alarms[$0.key]?.size ?? 0 }
    guard grows else { return }
    if count > Self.countLimit { throw .tooManyAlarms(limit: Self.countLimit) }
    if bytes > Self.byteLimit { throw .alarmsTooLarge(limit: Self.byteLimit) }
  }
}

/// A sorted list without duplicates.
private struct SortedList<Element: Comparable> {
  private(set) var elements: [Element] = []

  /// Returns the index of an element, or of the first greater one.
  func index(of element: Element) -> Int {
    var range = elements.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if elements[middle] < element {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }

  mutating func insert(_ element: Element) {
    elements.insert(element, at: index(of: element))
  }

  mutating func remove(_ element: Element) {
    let index = index(of: element)
    if index < elements.count, elements[index] == element { elements.remove(at: index) }
  }
}
