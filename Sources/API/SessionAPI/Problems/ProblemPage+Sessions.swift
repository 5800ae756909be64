extension ProblemPage {
  /// Those about sessions, and about who asks for them.
  static let sessions = [
    ProblemPage(
      [410],
      "ended-session",
      "The session has ended",
      means: "The session was deleted, or it expired: for longer than --session-ttl nobody had a "
        + "stream open or asked for it. The service remembers this for a while; later the "
        + "answer is unknown-session.",
      advice: "Create a new session with POST /sessions. A page does that by itself, or offers it."
    ),
    ProblemPage(
      [403],
      "foreign-origin",
      "The page's origin is not allowed",
      means: "A page of another origin tried to change something, and the service does not know "
        + "that origin. Nothing was changed.",
      advice: "Send the request from a page of the service's own origin. Whoever runs the service "
        + "can allow another with --allow-origin. Where a proxy is in front, it has to pass on the browser's "
        + "host: in Host as it is, or in X-Forwarded-Host, with the proxy named by --trusted-proxy. The member "
        + "host says which one has arrived."
    ),
    ProblemPage(
      [422],
      "invalid-parameters",
      "The parameters do not fit",
      means: "The view model takes parameters, and those in the body are not what it takes, or it "
        + "takes none. The member, where there is one, is named. No session was created.",
      advice: "Mend parameters: GET /view-models/NAME describes them."
    ),
    ProblemPage(
      [422],
      "invalid-request",
      "The body does not say what to create",
      means: "The body is JSON, but no object that names a view model.",
      advice: "Send an object such as {\"viewModel\":\"counter\"}; GET /view-models lists the "
        + "names."
    ),
    ProblemPage(
      [421],
      "misdirected-request",
      "Not a host of this service",
      means: "The Host header names a host that this service does not answer for. On a loopback "
        + "address only loopback names are answered, so that no foreign page reaches it under a "
        + "name of its own (DNS rebinding).",
      advice: "Use a name that the service is known by. Whoever runs it can add one with "
        + "--allow-host, which is needed behind a proxy or a container's port, too."
    ),
    ProblemPage(
      [404],
      "unknown-session",
      "Unknown session",
      means: "No session has this id: it is misspelt, it ended a while ago, or the service was "
        + "started with another folder of sessions or none.",
      advice:
        "Create a session with POST /sessions, and use the id in its answer. To keep sessions "
        + "over a restart, give --data the same folder."
    ),
    ProblemPage(
      [404, 422],
      "unknown-view-model",
      "Unknown view model",
      means: "No view model of that name is hosted: 404 where the path names it, 422 where the "
        + "body does. The member known lists those that are.",
      advice:
        "Use one of those names. One of your own is hosted with catalog.host in the program's "
        + "main.swift."
    ),
    ProblemPage(
      [410, 503],
      "unreadable-session",
      "The session cannot be read",
      means: "The session was stored by a program whose view model this one cannot read: State has "
        + "another shape, or no view model of that name is hosted. 503 where several nodes share the store: "
        + "this one has let go of it, and another may be of a version that reads it.",
      advice:
        "After a 503, try again in a moment. After a 410, create a new session. To have the old one back, start the program that stored it, or "
        + "give the view model a migrate; sessions stay stored until they expire."
    ),
  ]
}
