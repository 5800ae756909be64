import UIFusionKit

/// An alarm, or a message, as a store keeps it.
package struct StoredAlarm: Sendable, Equatable {
  /// The bytes of its name, by which alarms are told apart, and ordered.
  package var name: [UInt8]
  package var time: WallTime
  /// The action as JSON.
  package var action: [UInt8]

  package init(_ name: [UInt8], at time: WallTime, _ action: [UInt8]) {
    self.name = name
    self.time = time
    self.action = action
  }
}

extension StoredAlarm: Comparable {
  /// Returns whether an alarm comes first: by time, and by name at one time, as stores list them.
  package static func < (a: StoredAlarm, b: StoredAlarm) -> Bool {
    a.time == b.time ? a.name.lexicographicallyPrecedes(b.name) : a.time < b.time
  }
}

extension StoredAlarm {
  /// Whether the alarm is a message.
  package var isMessage: Bool { AlarmName(bytes: name).isMessage }

  /// Whether the session is not settled before the alarm is gone: it is a message, or a refused one's action.
  var isUnsettled: Bool {
    let name = AlarmName(bytes: name)
    return name.isRefusal || Message(name, action) != nil
  }

  /// Whether the alarm is a record that never rings, and does not keep its session.
  package var isRecord: Bool { AlarmName(bytes: name) == .foreignFollowings }
}

extension StoreChange.Append {
  /// Takes over changes of alarms, in their order.
  mutating func add(_ changes: [AlarmChange]) {
    for change in changes {
      let name = change.name.bytes
      switch change.kind {
      case .set(let alarm):
        let time = WallTime(milliseconds: alarm.time)
        alarms.updateValue(StoredAlarm(name, at: time, alarm.stored), forKey: name)
      case .cancelled, .rang, .handedOver: alarms.updateValue(nil, forKey: name)
      case .kept: break
      }
    }
  }
}

/// A page of the alarms that are due, the earliest first.
package struct DueAlarms: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package var session: SessionID
    package var viewModel: String
    package var name: [UInt8]
    package var time: WallTime

    package init(_ session: SessionID, viewModel: String, _ name: [UInt8], at time: WallTime) {
      self.session = session
      self.viewModel = viewModel
      self.name = name
      self.time = time
    }
  }

  package var alarms: [Item]
  /// The last alarm of the page, if more may follow.
  package var next: Item?

  /// Creates a page of alarms; a full page may be followed by others.
  package init(_ alarms: [Item] = [], limit: Int = .max) {
    self.alarms = alarms
    next = alarms.count == limit ? alarms.last : nil
  }
}
