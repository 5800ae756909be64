/// A share's id, the capability for a part of a session's use: 128 random bits.
///
/// Written like a session's id, except for a mark in the last character: no text is the id of both.
package struct ShareID: Hashable, Sendable, LosslessStringConvertible {
  private static let mark: UInt64 = 1

  package let bits: SessionID

  package init(_ bits: SessionID) {
    self.bits = bits
  }

  package init?(_ description: String) {
    guard let bits = SessionID(description, mark: Self.mark) else { return nil }
    self.bits = bits
  }

  package var description: String { bits.text(mark: Self.mark) }

  /// The id's first characters, for logs.
  package var redacted: String { bits.redacted }
}

/// The rights of a share; each role has those of the roles before it.
package enum ShareRole: String, Sendable, CaseIterable, Comparable {
  /// To see State and to follow it.
  case observer
  /// To send Inputs, too.
  case driver

  /// The number in stores.
  package var number: Int { self == .observer ? 0 : 1 }

  package init?(number: Int) {
    guard let role = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = role
  }

  package static func < (a: ShareRole, b: ShareRole) -> Bool { a.number < b.number }
}

/// A share of a session, as a store keeps it until it is revoked or the session ends.
package struct StoredShare: Sendable, Equatable {
  /// The number of unexpired shares that a session may have.
  package static let limit = 100

  package let id: ShareID
  package let session: SessionID
  package let role: ShareRole
  package let created: WallTime
  /// The time at which the share expires; nil for never.
  package let expires: WallTime?

  package init(
    _ id: ShareID,
    of session: SessionID,
    as role: ShareRole,
    created: WallTime,
    expires: WallTime? = nil
  ) {
    self.id = id
    self.session = session
    self.role = role
    self.created = created
    self.expires = expires
  }

  package func isValid(at time: WallTime) -> Bool { expires.map { $0 > time } ?? true }
}

/// The shares to find: those of some ids, or all of a session, expired ones included.
package enum ShareQuery: Sendable {
  case ids([ShareID])
  case session(SessionID)
}
