package import FusionHTTPMessages
package import FusionSessions
import UIFusionKit

/// The problems that correspond to the errors of the session host.
extension Problem {
  package init(_ failure: WakeFailure) {
    self =
      switch failure {
      case .store(let error): Problem(error)
      case .unreadable(let viewModel):
        .unreadableSession.filled(with: viewModel).adding("viewModel", viewModel)
      case .unreadableHere(let viewModel):
        .unreadableSession.with(status: 503).detailed(
          "Try again in a moment: this node's version cannot read the session's State, and another node may. "
            + "It stays stored as it is."
        ).adding("viewModel", viewModel).with("Retry-After", "1")
      case .setAside(let viewModel): .sessionSetAside.adding("viewModel", viewModel)
      case .memoryFull(let error): Problem(error)
      case .elsewhere: .unreachableNode
      case .notPermitted(let reason): .notPermitted.detailed(reason)
      }
  }

  init(_ error: StoreError) {
    self =
      switch error {
      case .full: .storeFull
      case .inDoubt: .storeInDoubt
      case .closed: .draining
      case .unreachable, .damaged, .conflict, .fenced, .taken: .storeUnreachable
      }
  }

  init(_ error: MemoryFull) {
    self = .memoryFull.limited(to: error.limit)
  }

  /// Creates the problem of a rejected Input; `index` is its index in a batch.
  init(_ rejection: TurnRejection, at index: Int?) {
    let problem: Problem =
      switch rejection {
      case .denied(let reason): .notPermittedNow.detailed(reason)
      case .invalid(let state): Problem(state)
      }
    self = index.map { problem.adding("index", json: Array(String($0).utf8)) } ?? problem
  }

  init(_ state: InvalidState) {
    self =
      switch state {
      case .tooLarge(let limit): .stateTooLarge.limited(to: limit)
      case .notWritable(let member, _): .stateNotWritable.naming(member)
      case .tooManyAlarms, .alarmsTooLarge: .tooManyAlarms
      // A followed session that cannot be read never fails a turn.
      case .alarm, .followed: .alarmNotWritable
      }
  }

  /// The problem of a session that is awake on a node without an address for other nodes.
  package static var nodeWithoutAddress: Problem {
    .unreachableNode.detailed(
      "Nothing was applied. The session is at work on a node that others cannot reach: start it with "
        + "--node-address."
    )
  }
}

extension Problem {
  /// Returns the store's result, or throws the problem of its error.
  static func unwrap<Found>(_ result: Result<Found, StoreError>) throws(Problem) -> Found {
    do { return try result.get() } catch { throw Problem(error) }
  }
}
