extension ProblemPage {
  /// Those about the service, its limits and its store.
  static let service = [
    ProblemPage(
      [503],
      "draining",
      "The service is stopping",
      means: "The service was asked to stop, and takes nothing new. Nothing was applied.",
      advice: "Try again after the seconds in Retry-After: another instance, or the next one, "
        + "answers."
    ),
    ProblemPage(
      [503],
      "memory-full",
      "The memory is full",
      means: "The service uses as much memory as it may, which the member limit says: what would "
        + "need more is refused until there is some.",
      advice: "Try again after the seconds in Retry-After. Whoever runs the service can raise the "
        + "limit with --max-memory, or keep fewer sessions with --max-sessions."
    ),
    ProblemPage(
      [500],
      "no-answer",
      "No answer",
      means: "The service failed to answer this request. It may have taken effect.",
      advice: "Look at the session before you send it again, and report it to whoever runs the "
        + "service, with the requestId."
    ),
    ProblemPage(
      [503],
      "starting",
      "The service is starting",
      means: "The service has begun to listen and is not ready yet.",
      advice: "Try again in a moment; /readyz says when it is ready."
    ),
    ProblemPage(
      [507],
      "store-full",
      "The store is full",
      means: "There is no room left on the disk where sessions are kept. Nothing was applied.",
      advice: "Make room on the server's disk: the service goes on by itself."
    ),
    ProblemPage(
      [503],
      "store-in-doubt",
      "The store did not say what it did",
      means: "The request was handed to the store, which did not answer, or failed in the middle: "
        + "it may have been applied.",
      advice: "Look at the session before you try again. With an Idempotency-Key, just repeat the "
        + "request: it is applied once."
    ),
    ProblemPage(
      [503],
      "store-unreachable",
      "The store is out of reach",
      means: "The folder of sessions cannot be written or read. Nothing was applied.",
      advice: "Try again in a moment. Whoever runs the service looks at its log, which names the "
        + "cause, and at /readyz; it goes on by itself when the disk does."
    ),
    ProblemPage(
      [503],
      "too-many-connections",
      "Too many connections",
      means: "As many connections are open as may be, which the member limit says.",
      advice: "Try again after the seconds in Retry-After, close connections that are not needed, "
        + "or share them. Whoever runs the service can raise the limit with --max-connections "
        + "and that of open files."
    ),
    ProblemPage(
      [503],
      "too-many-sessions",
      "Too many sessions",
      means: "There are as many sessions as may be, which the member limit says. None was created.",
      advice: "Delete sessions that are no longer needed, or try again later: those that nobody "
        + "uses expire. Whoever runs the service can raise the limit with --max-sessions."
    ),
  ]
}
