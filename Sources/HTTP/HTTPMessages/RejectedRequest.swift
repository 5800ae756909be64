/// A request that the server answers in place of its handler: before it, or because that failed to.
package struct RejectedRequest: Sendable {
  package let problem: Problem
  package let id: RequestID
  /// Nil where the head could not be believed.
  package let method: HTTPMethod?
  /// None where the head could not be believed.
  package let headers: HTTPHeaders
  package let arrival: ConnectionInfo

  package init(
    _ problem: Problem,
    id: RequestID,
    method: HTTPMethod?,
    headers: HTTPHeaders,
    arrival: ConnectionInfo = ConnectionInfo()
  ) {
    self.arrival = arrival
    self.problem = problem
    self.id = id
    self.method = method
    self.headers = headers
  }
}
