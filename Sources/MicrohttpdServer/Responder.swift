import HTTPMessages
import Synchronization

/// One request's right to an answer: the first use counts, and letting go of it unused is one, too.
///
/// The handler's `respond` closure is its only owner but for the moment of the call.
final class Responder: Sendable {
  private let connection: Connection
  private let isUsed = Atomic(false)

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Any thread.
  func respond(_ response: HTTPResponse) {
    guard !isUsed.exchange(true, ordering: .relaxed) else { return }
    connection.answer(response)
  }

  deinit {
    if !isUsed.load(ordering: .relaxed) { connection.answer(Problem.noAnswer.closing.response) }
  }
}
