import FusionSessions
import FusionStrictJSON
import UIFusionKit

extension SessionTraceEvent {
  /// Returns the event in the form that a stream of the trace sends.
  func wireEvent(in trace: SessionTrace) -> WireEvent {
    let id = { (number: Int) in "\(trace.name)-\(number)" }
    var start: JSONTree = ["time": time.json]
    if case .note(_, let version) = kind {
      start = start.adding(["version": .number("\(version)")])
    }
    if let cause { start = start.adding(["cause": .string(id(cause))]) }
    let (name, members) = content
    return WireEvent(name, id: id(number), start.adding(members))
  }

  private var content: (WireEvent.Name, JSONTree) {
    switch kind {
    case .note(.event(let line, let effect), _):
      let event = (try? JSONTree(JSONDocument(line, wrapping: 1).root)) ?? [:]
      let sender: JSONTree = effect.map { ["effect": .number("\($0)")] } ?? [:]
      return (.of(event), event.adding(sender))
    case .note(.work(let work, let step), _):
      return (.effect, work.json.adding(["step": .string(step.rawValue)]))
    case .note(.alarm(let change), _): return change.content
    case .note(.followed(let address), _): return (.followed, ["session": address.json])
    case .note(.began(let running, let alarms), _):
      return (
        .session,
        .session(
          isAwake: true,
          running.map(\.json),
          alarms.filter { !$0.name.isMessage }.map(\.json)
        )
      )
    case .asleep, .moved: return (.session, ["isAwake": false])
    case .over(let end): return (.end, ["reason": .string(end.rawValue)])
    }
  }
}

extension WireEvent {
  fileprivate init(_ name: Name, id: String?, _ data: JSONTree) {
    self.init(name: name, id: id, isIDOpaque: true, data: data.bytes)
  }

  /// Events that were dropped before the client could take them; nil if their number is unknown.
  static func dropped(_ count: Int?) -> WireEvent {
    // The empty id makes the client forget its unknown position.
    let id = count == nil ? "" : nil
    return WireEvent(.dropped, id: id, ["count": count.map { .number("\($0)") } ?? nil])
  }

  static func end(_ end: SessionEnd) -> WireEvent {
    WireEvent(.end, id: nil, ["reason": .string(end.rawValue)])
  }

  /// A sleeping session, as stored.
  static func asleep(_ session: StoredSession) throws(StoreError) -> WireEvent {
    let alarms = session.alarms.compactMap { alarm -> JSONTree? in
      let name = AlarmName(bytes: alarm.name)
      return name.isMessage || alarm.isRecord
        ? nil : Alarm(name, at: alarm.time.milliseconds, stored: alarm.action).json
    }
    let running = try session.running.map { ["name": .string(readableEffectName($0))] as JSONTree }
    return WireEvent(.session, id: nil, .session(isAwake: false, running, alarms))
  }
}

extension WireEvent.Name {
  /// The kind of event that a stored object describes.
  fileprivate static func of(_ event: JSONTree) -> WireEvent.Name {
    switch event.members.first?.name {
    case "input": .input
    case "error", "unwritable": .error
    case "cut": .dropped
    default: .action
    }
  }
}

extension JSONTree {
  fileprivate static func session(
    isAwake: Bool,
    _ running: [JSONTree],
    _ alarms: [JSONTree]
  ) -> JSONTree {
    ["isAwake": .bool(isAwake), "running": .array(running), "alarms": .array(alarms)]
  }

  /// The name of a stored Input or action: its values are not shown.
  fileprivate static func name(of stored: [UInt8]) -> JSONTree {
    guard let root = try? JSONDocument(stored, wrapping: 1).root else { return [:] }
    let name =
      root.kind == .string ? try? root.decode(String.self) : JSONTree(root).members.first?.name
    return name.map { ["action": .string($0)] } ?? [:]
  }
}

extension WatchedWork {
  fileprivate var json: JSONTree {
    var tree: JSONTree = ["effect": .number("\(number)"), "kind": .string(kind.rawValue)]
    if let id { tree = tree.adding(["name": .string(id)]) }
    if let began { tree = tree.adding(["since": WallTime(milliseconds: began).json]) }
    return tree
  }
}

extension Alarm {
  fileprivate var json: JSONTree {
    let alarm: JSONTree = [
      "alarm": .string("\(name.shown)"), "due": WallTime(milliseconds: time).json,
    ]
    return alarm.adding(.name(of: action))
  }
}

extension AlarmChange {
  fileprivate var content: (WireEvent.Name, JSONTree) {
    switch kind {
    case .set(let alarm) where name.isMessage:
      let message = Message(alarm.name, alarm.action)
      let sent: JSONTree = ["step": "sent", "session": message?.address.json ?? nil]
      return (.message, message?.isReply == true ? sent.adding(["isReply": true]) : sent)
    case .handedOver(let address, let isRefused):
      return (.message, ["step": isRefused ? "refused" : "delivered", "session": address.json])
    case .set(let alarm): return (.alarm, alarm.json.adding(["step": "set"]))
    case .rang(let late):
      return (
        .alarm, ["alarm": .string("\(name.shown)"), "step": "rang", "late": .number("\(late)")]
      )
    case .cancelled, .kept:
      return (.alarm, ["alarm": .string("\(name.shown)"), "step": "cancelled"])
    }
  }
}

extension SessionAddress {
  fileprivate var json: JSONTree { .string(redacted) }
}
