import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions

/// The limits of one client, so that none can take everything from the others.
///
/// Where nothing is set, clients in private networks have no limit: ``ClientQuota`` says why.
package struct ClientLimits: Sendable {
  /// How many sessions that it has created since the start of the process may be open; nil for ``usualSessions``.
  package var sessions: Int?
  /// How many streams it may have open; nil for ``usualStreams``.
  package var streams: Int?
  /// How many Inputs it may send in a second, on the average; nil for no limit.
  package var inputsPerSecond: Int?

  package static let usualSessions = 1_000
  package static let usualStreams = 100

  package init() {}
}

extension SessionAPI {
  /// Takes as many Inputs off the rate of a request's client, or throws.
  ///
  /// Inputs count at the node that the client asks, whichever node has the session.
  func admitInputs(_ count: Int, of request: HTTPRequest) throws(ClientRates.Exceeded) {
    guard let inputRates, !request.isFromNode, let client = request.arrival.client else { return }
    try inputRates.take(count, for: client, now: host.dependencies.time.now)
  }
}
