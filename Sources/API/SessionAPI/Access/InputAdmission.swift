import FusionHTTPMessages
import FusionHTTPToolkit
import UIFusionKit

/// The rate limit of Inputs by client: the node that receives a client's request counts its Inputs, whichever node
/// owns the session.
struct InputAdmission: Sendable {
  private let rates: ClientRates?
  private let time: any TimeSource

  /// Creates a limit; none if `rates` is nil.
  init(_ rates: ClientRates?, _ time: any TimeSource) {
    (self.rates, self.time) = (rates, time)
  }

  /// Counts Inputs towards the limit of a request's client; throws 429 if the client sends too fast.
  func admit(_ count: Int, of request: HTTPRequest) throws(Problem) {
    guard let rates, let client = request.connection.client else { return }
    do throws(ClientRates.Exceeded) {
      try rates.take(count, for: client, now: time.now)
    } catch {
      let seconds = max(1, Int((error.wait / .seconds(1)).rounded(.up)))
      throw .tooManyClientInputs.limited(to: error.limit).with("Retry-After", "\(seconds)")
    }
  }

  /// Returns a request in the form that a locator accepts.
  func request(_ request: HTTPRequest, _ respond: PendingResponse) -> SessionRequest {
    guard rates != nil else {
      return SessionRequest(http: request, respond: respond, admitInputs: nil)
    }
    return SessionRequest(http: request, respond: respond) { count throws(Problem) in
      try admit(count, of: request)
    }
  }
}
