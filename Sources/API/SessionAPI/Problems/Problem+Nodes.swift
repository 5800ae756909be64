import FusionHTTPMessages

/// What may be wrong between the nodes of a service.
extension Problem {
  /// To another node alone, which looks again.
  static let otherNode = Problem(
    421,
    "other-node",
    "Another node has the session",
    detail: "Ask the store which one."
  )

  static let unreachableNode = Problem(
    503,
    "unreachable-node",
    "The session's node is out of reach",
    detail: "Nothing was applied; try again in a moment."
  ).with("Retry-After", "1")

  /// The same, where there is no way to it at all.
  static var nodeWithoutAddress: Problem {
    var problem = unreachableNode
    problem.detail =
      "Nothing was applied. The session is at work on a node that others cannot reach: start it with "
      + "--node-address."
    return problem
  }
}
