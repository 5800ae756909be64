#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A set alarm: an action of the view model that is due at a calendar time.
package struct Alarm: Sendable {
  package let name: AlarmName
  /// The time at which the alarm is due, in milliseconds since 1970, UTC.
  package let time: Int64
  /// The action as JSON; empty if nothing is stored.
  package let action: [UInt8]
  /// The action itself, if nothing is stored.
  let value: (any Sendable)?
  /// Whether a foreign Input has set the alarm: see ``InputOrigin/isForeign``.
  package var isForeign = false

  package init(_ name: AlarmName, at time: Int64, json action: [UInt8], isForeign: Bool = false) {
    self.init(name, at: time, action, nil)
    self.isForeign = isForeign
  }

  /// Creates an alarm whose action is not encoded, for a test.
  package init(_ name: String, at date: Date, _ action: any Sendable) {
    self.init(AlarmName(name), at: AlarmTime.at(date).milliseconds(date), [], action)
  }

  init(_ name: AlarmName, at time: Int64, _ action: [UInt8], _ value: (any Sendable)?) {
    self.name = name
    self.time = time
    self.action = action
    self.value = value
  }

  /// The time at which the alarm is due.
  package var date: Date { Date(timeIntervalSince1970: Double(time) / 1000) }

  /// The action as it is stored: after ``foreignMark`` if the alarm is foreign.
  package var stored: [UInt8] { isForeign ? [Self.foreignMark] + action : action }

  /// A byte that no JSON begins with: a build that does not know it must not ring the alarm.
  private static let foreignMark: UInt8 = 1

  /// Creates an alarm from its stored action.
  package init(_ name: AlarmName, at time: Int64, stored: [UInt8]) {
    let isForeign = stored.first == Self.foreignMark
    self.init(
      name,
      at: time,
      json: isForeign ? Array(stored.dropFirst()) : stored,
      isForeign: isForeign
    )
  }

  /// Creates the record of foreign followings, which never rings: see ``FollowBook``.
  package init(foreignFollowings addresses: Set<SessionAddress>) {
    let bytes = SessionAddress.bytes(of: addresses)
    self.init(.foreignFollowings, at: AlarmTime.latest, json: bytes)
  }

  /// The number of bytes that count towards ``AlarmBook/byteLimit``.
  var size: Int { name.bytes.count + action.count }
}

/// The name of an alarm: its id as Swift prints it, preceded by the name of the child that set it.
///
/// Names are compared byte by byte, in Swift as in every store.
package struct AlarmName: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  init(_ id: EffectID) {
    self.init(id.printed)
  }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The name of the record of a session's foreign followings, which is kept in the form of an alarm.
  ///
  /// The byte never occurs in UTF-8, and so in no printed id.
  package static let foreignFollowings = AlarmName(bytes: [0xFE])

  package static func < (a: AlarmName, b: AlarmName) -> Bool {
    a.bytes.lexicographicallyPrecedes(b.bytes)
  }
}

/// A change of a session's alarms in a turn.
package struct AlarmChange: Sendable {
  package enum Kind: Sendable {
    /// The alarm was set, and replaces an alarm with the same name.
    case set(Alarm)
    /// The alarm was cancelled.
    case cancelled
    /// The alarm rang, `late` milliseconds after its time.
    case rang(late: Int64)
    /// The alarm stands for a message, which was handed over or refused.
    case handedOver(to: SessionAddress, isRefused: Bool)
    /// No alarm changed; only `next` may have.
    case kept
  }

  package let name: AlarmName
  package let kind: Kind
  /// The number of bytes of the alarm that is set; 0 for any other change.
  package var size: Int { if case .set(let alarm) = kind { alarm.size } else { 0 } }
  /// The time of the alarm that is due first after the change; nil if there is none.
  package let next: Int64?
  /// Whether any alarm is set after the change, even one that this process cannot ring.
  package let isAnySet: Bool
}

/// The functions that turn a view model's actions into JSON and back, and read other sessions' States.
package struct ActionCoding: Sendable {
  /// Reads a State as a type, which may have fewer members.
  package typealias StateReading =
    @Sendable (any (Codable & Sendable).Type, [UInt8]) throws -> any Sendable

  package let encode: @Sendable (any Sendable) throws -> [UInt8]
  package let decode: @Sendable ([UInt8]) throws -> any Sendable
  package let read: StateReading

  package init(
    encode: @escaping @Sendable (any Sendable) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> any Sendable,
    read: @escaping StateReading = { type, _ in
      throw InvalidState.followed("\(type)", reason: "no State can be read")
    }
  ) {
    self.encode = encode
    self.decode = decode
    self.read = read
  }
}
