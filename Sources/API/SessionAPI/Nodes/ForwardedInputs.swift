import FusionHTTPMessages
import FusionStrictJSON

extension SessionAPI {
  /// Counts the Inputs of a request that is about to be passed on; 0 where nobody counts them.
  func admitForwarded(_ request: HTTPRequest) throws(Problem) -> Int {
    guard inputRates != nil, request.method == .post else { return 0 }
    let root = (try? JSONDocument(request.body))?.root
    // The other node says what is wrong with it.
    guard let root else { return 0 }
    let count = root.kind == .array ? root.count : 1
    do throws(InputRates.Exceeded) {
      try admitInputs(count, of: request)
    } catch {
      throw Problem(error)
    }
    return count
  }

  /// Those of which nothing was submitted do not count.
  func giveBack(_ count: Int, of request: HTTPRequest, unlessSubmittedBy response: HTTPResponse?) {
    guard count > 0 else { return }
    let isReplay = response?.headers["Idempotency-Replayed"] != nil
    if response.map({ $0.status >= 400 || isReplay }) != false {
      // To give back is never refused.
      try? admitInputs(-count, of: request)
    }
  }
}
