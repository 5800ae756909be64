/// The ids that a store has, without their States.
package struct StoreInventory: Sendable, Equatable {
  package var sessions: [Item] = []
  package var ended: [Ended] = []
  /// The secret with which digests of bodies are made, the same for as long as the store lives.
  package var secret: [UInt8] = []

  package struct Item: Sendable, Equatable {
    package var id: SessionID
    package var origin: SessionOrigin
    /// The time of the last use or work.
    package var used: WallTime

    package var viewModel: String { origin.viewModel }

    package init(_ id: SessionID, _ origin: SessionOrigin, used: WallTime) {
      self.id = id
      self.origin = origin
      self.used = used
    }
  }

  package struct Ended: Sendable, Equatable {
    package var id: SessionID
    package var end: SessionEnd
    package var time: WallTime

    package init(_ id: SessionID, _ end: SessionEnd, at time: WallTime) {
      self.id = id
      self.end = end
      self.time = time
    }
  }

  package init() {}
}

extension StoreInventory {
  /// A gap as short as this is always believed.
  private static let believable = Duration.seconds(60)

  /// Returns the time before a start in which no session was used, if it is too long to be believed; else nil.
  ///
  /// While a process runs, none of its sessions stays idle for so long. So the service was down for all of the time,
  /// or the calendar is wrong; in the latter case every session would end at once, for good.
  func unbelievableGap(before start: WallTime, idleTime: Duration) -> Duration? {
    guard let last = sessions.map(\.used).max() else { return nil }
    let gap = Duration.milliseconds(start.milliseconds - last.milliseconds)
    return gap > max(idleTime, Self.believable) ? gap : nil
  }
}

/// A page of interrupted sessions, in which something was running when they were stored last.
package struct InterruptedSessions: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package let id: SessionID
    package let viewModel: String

    package init(_ id: SessionID, viewModel: String) {
      self.id = id
      self.viewModel = viewModel
    }
  }

  package var sessions: [Item]
  /// The number after which the next page begins; nil if this is the last page.
  package var next: Int64?

  package init(_ sessions: [Item] = [], next: Int64? = nil) {
    self.sessions = sessions
    self.next = next
  }
}
