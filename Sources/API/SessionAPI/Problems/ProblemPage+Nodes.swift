extension ProblemPage {
  /// Those between the nodes of a service.
  static let nodes = [
    ProblemPage(
      [421],
      "other-node",
      "Another node has the session",
      means: "One node of the service has passed a request on to another, which does not have the "
        + "session any more. Nothing was applied.",
      advice: "Nothing: nodes tell this to each other alone, and look again."
    ),
    ProblemPage(
      [503],
      "unreachable-node",
      "The session's node is out of reach",
      means:
        "Another node of the service is at work on the session, and could not be asked. Nothing "
        + "was applied.",
      advice:
        "Try again after the seconds in Retry-After: where that node is gone, another one takes the "
        + "session over within five seconds. Whoever runs the service sees that all nodes have "
        + "--node-address, the same --node-secret-file, and a way to each other."
    ),
  ]
}
