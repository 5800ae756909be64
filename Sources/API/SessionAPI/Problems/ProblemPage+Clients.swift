extension ProblemPage {
  /// Those about what one client has too much of.
  static let clients = [
    ProblemPage(
      [429],
      "too-many-client-inputs",
      "This client sends too many Inputs",
      means:
        "From this address, or behind the same proxy, come more Inputs a second than the member limit "
        + "says; each Input of a batch counts. Nothing was applied.",
      advice:
        "Send it again after the seconds in Retry-After. Whoever runs the service can raise the limit "
        + "with --inputs-per-second, and name a proxy in front with --trusted-proxy."
    ),
    ProblemPage(
      [429],
      "too-many-client-sessions",
      "This client has too many sessions",
      means:
        "From this address, or behind the same proxy, as many sessions were created and have not ended "
        + "as the member limit says. No session was created.",
      advice:
        "Delete sessions that are no longer needed. Whoever runs the service can raise the limit with "
        + "--max-sessions-per-client, and name a proxy in front with --trusted-proxy."
    ),
    ProblemPage(
      [429],
      "too-many-client-streams",
      "This client has too many streams",
      means:
        "From this address, or behind the same proxy, as many streams are open as the member limit "
        + "says.",
      advice:
        "Follow several sessions over one stream, with GET /events?session=A&session=B, and close "
        + "streams that nobody reads. Whoever runs the service can raise the limit with "
        + "--max-streams-per-client, and name a proxy in front with --trusted-proxy."
    ),
  ]
}
