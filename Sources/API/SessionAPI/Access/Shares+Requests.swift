import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

extension Shares {
  /// Calls a function with a share that stands at this moment, on whichever node it was made; answers that the session
  /// is unknown if the share has expired or was revoked.
  func requireStanding(
    _ id: ShareID,
    _ respond: PendingResponse,
    _ goOn: @escaping @Sendable (StoredShare) throws(Problem) -> Void
  ) {
    find(.ids([id])) { result in
      respond.answer { () throws(Problem) in
        guard let share = try Problem.unwrap(result).first else { throw .unknownSession }
        try goOn(share)
      }
    }
  }
}
