package import FusionHTTPMessages
import FusionHTTPToolkit

/// The problems of the service: its memory, its store, its nodes and its life cycle.
extension Problem {
  /// The rows of this file, for the table of problems.
  package static let ofService: [Problem] = [
    .memoryFull, .otherNode, .starting, .storeFull, .storeUnreachable, .unreachableNode,
  ]

  package static let memoryFull = Problem(
    503,
    "memory-full",
    "The memory is full",
    detail: "Try again in a moment, when memory is free again.",
    meaning:
      "The service has reached its limit of memory: requests that need more are refused "
      + "until some is free. Fewer sessions (--max-sessions) need less.",
    limit: "max-memory"
  ).with("Retry-After", "5")

  package static let otherNode = Problem(
    421,
    "other-node",
    "Another node has the session",
    detail: "Ask the store which one.",
    meaning:
      "One node of the service has passed a request on to another, which does not have the "
      + "session any more. Nothing was applied.",
    advice: "Nothing: nodes tell this to each other alone, and look again."
  )

  package static let starting = Problem(
    503,
    "starting",
    "The service is starting",
    detail: "Try again in a moment.",
    meaning: "The service has begun to listen and is not ready yet; /readyz says when it is."
  ).with("Retry-After", "1")

  package static let storeFull = Problem(
    507,
    "store-full",
    "The store is full",
    detail: "Nothing was applied; try again when there is room on the server's disk.",
    meaning:
      "There is no room left on the disk where sessions are kept. The service goes on by "
      + "itself when there is."
  ).with("Retry-After", "30")

  package static let storeUnreachable = Problem(
    503,
    "store-unreachable",
    "The store is out of reach",
    detail: "Nothing was applied; try again in a moment.",
    meaning:
      "The folder of sessions cannot be written or read. The service's log names the cause; "
      + "the service goes on by itself when the disk does."
  ).with("Retry-After", "1")

  package static let unreachableNode = Problem(
    503,
    "unreachable-node",
    "The session's node is out of reach",
    detail: "Nothing was applied; try again in a moment.",
    meaning: "Another node of the service is at work on the session, and could not be asked.",
    advice:
      "Try again after the seconds in Retry-After: where that node is gone, another one "
      + "takes the session over within five seconds. Whoever runs the service sees that all "
      + "nodes have --node-address, the same --node-secret-file, and a way to each other."
  ).with("Retry-After", "1")
}

extension ProblemTable {
  /// All problems of the service: the rows of the server, the toolkit and this API.
  static let ofService = ProblemTable(
    Problem.ofServer + Problem.ofRequests + Problem.ofInputs + Problem.ofSessions
      + Problem.ofService
  )
}
