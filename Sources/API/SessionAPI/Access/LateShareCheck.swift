import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import Synchronization

/// A responder that asks again for the share of a request that is not answered at once, whatever it waited for:
/// answers that the share does not exist if it has become invalid.
///
/// A stream has checks of its own.
final class LateShareCheck: HTTPResponder {
  private let isLate = Atomic(false)
  private let shares: Shares
  private let share: StoredShare
  private let respond: PendingResponse

  init(_ shares: Shares, _ share: StoredShare, _ respond: PendingResponse) {
    self.shares = shares
    self.share = share
    self.respond = respond
  }

  /// Marks an answer from here on as late.
  func begin() { isLate.store(true, ordering: .relaxed) }

  func whenClientLeaves(_ act: @escaping @Sendable () -> Void) { respond.whenClientLeaves(act) }

  func callAsFunction(_ response: consuming HTTPResponse) {
    guard isLate.load(ordering: .relaxed) else { return respond(response) }
    if case .stream = response.body { return respond(response) }
    shares.requireStanding(share.id, respond) { [respond, response] _ in respond(response) }
  }
}
