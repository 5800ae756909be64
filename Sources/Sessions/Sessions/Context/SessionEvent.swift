package import UIFusionKit

/// Something that happened to a session or to the store, for the log and the metrics.
package enum SessionEvent: Sendable {
  /// The session was created, for or by an identity; nil if that is unknown, and empty for the program.
  case created(SessionID, viewModel: String, by: String?)
  /// The session was created from the past of another, by an identity; nil if that is unknown, and empty for the program.
  case forked(SessionID, from: SessionID, by: String?)
  /// The session has ended; names the identity that deleted a session of nobody's.
  case ended(SessionID, SessionEnd, by: String?)
  /// A State of the session is not allowed: its turn was rolled back.
  case invalid(SessionID, InvalidState)
  /// The session was read from the store.
  case restored(SessionID, viewModel: String)
  /// Sessions that had been interrupted at work were woken; each one that failed was reported before.
  case wokeInterrupted(Int, failed: Int)
  /// The store cannot say which sessions were interrupted at work.
  case interruptedUnknown(StoreError)
  /// The store cannot say which sleeping sessions have alarms: none expires. Reported once.
  case alarmsUnknown(StoreError)
  /// The stored session cannot be read; it stays as it is.
  case unreadable(SessionID, viewModel: String, any Error)
  /// A stored State that was looked at has other members than State has today.
  case changed(viewModel: String, StateChanges)
  /// Members that State no longer has were dropped from the session's.
  case dropped(SessionID, viewModel: String, [String])
  /// The session has ended the process repeatedly: it is not woken until it is resumed. Reported once.
  case setAside(SessionID, viewModel: String)
  /// The session is no longer set aside, and is tried again.
  case resumed(SessionID)
  /// The stored session is damaged.
  case damaged(SessionID, StoreError)
  /// A turn of the session has taken long.
  case slowTurn(SessionID, viewModel: String, SlowTurn)
  /// An alarm of the session has rung, `late` after its time.
  case rang(SessionID, late: Duration)
  /// The session has sent a message, or its receiver has it, or has refused it.
  case message(SessionID, MessageStep, to: SessionAddress?)
  /// A commit of the session failed.
  case lost(SessionID, StoreError)
  /// The store has begun to fail; reported once until it works again.
  case storeFailed(StoreError)
  /// The store does not answer; reported once until it does.
  case storeHangs
  /// The store works again.
  case storeRecovered
  /// A number of idle sessions was put to sleep, one after another.
  case putToSleep(Int)
  /// This node has joined the nodes that share the store.
  case joined(Node)
  /// The lease could not be renewed in time: nothing is answered for until it can be.
  case leaseSilenced
  /// The lease was renewed after all; nothing is lost.
  case leaseRestored
  /// The lease has expired: another node may have the sessions by now.
  case leaseLost
  /// This node has made the session its own.
  case acquired(SessionID)
  /// Another node has taken the session.
  case fenced(SessionID)
  /// The calendar was set, by this duration: stored times follow it.
  case calendarSet(Duration)
  /// The calendar shows a gap before the start in which all sessions would have expired: their idle time begins with
  /// the start instead.
  case gapDistrusted(Duration)

  /// A step of a message.
  package enum MessageStep: String, Sendable, CaseIterable {
    case sent, delivered, refused
  }

  /// Creates the event of a change of an alarm, or of a message; nil if the change is of no interest.
  init?(_ id: SessionID, _ change: AlarmChange) {
    switch change.kind {
    case .rang(let late): self = .rang(id, late: .milliseconds(late))
    case .handedOver(let address, let isRefused):
      self = .message(id, isRefused ? .refused : .delivered, to: address)
    case .set where change.name.isMessage: self = .message(id, .sent, to: nil)
    case .set, .cancelled, .kept: return nil
    }
  }
}
