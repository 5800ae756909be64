import FusionHTTPMessages
import FusionHTTPToolkit

extension ProblemTable {
  /// Every problem that the service answers with: the rows of the server, the toolkit and this API.
  static let ofService = ProblemTable(
    Problem.ofServer + Problem.ofRequests + Problem.ofInputs + Problem.ofSessions
      + Problem.ofService
  )
}
