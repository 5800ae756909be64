package import FusionHTTPMessages

/// The problems of sessions: of creating and finding them, and of the limits per client.
extension Problem {
  /// The rows of this file, for the table of problems.
  package static let ofSessions: [Problem] = [
    .endedSession, .invalidParameters, .invalidRequest, .invalidToken, .loggedOut,
    .notPermitted, .notPermittedNow, .otherSender,
    .sessionSetAside, .shareForbids,
    .tooManyClientInputs, .tooManyClientSessions, .tooManyClientStreams, .tooManySessions,
    .tooManyShares, .unauthenticated, .unknownSession, .unknownShare, .unknownVersion,
    .unknownViewModel, .unreadableSession,
  ]

  package static let endedSession = Problem(
    410,
    "ended-session",
    "The session has ended",
    detail: "It was deleted or has expired; create a new one with POST /sessions.",
    meaning:
      "The session was deleted, or it expired: for longer than --session-ttl no client had a "
      + "stream open or asked for it. The service remembers this for a while; later the answer "
      + "is unknown-session."
  )

  package static let invalidParameters = Problem(
    422,
    "invalid-parameters",
    "The parameters do not fit",
    detail: "Correct the parameters: {}.",
    meaning:
      "The parameters in the body are not those that the view model takes, or it takes none. "
      + "The wrong member, where there is one, is named. No session was created.",
    advice: "Correct the parameters: GET /view-models/NAME describes them."
  )

  package static let invalidRequest = Problem(
    422,
    "invalid-request",
    "The body does not say what to create",
    detail: "Send an object such as {\"viewModel\":\"counter\"}: {}.",
    meaning: "The body is JSON, but no object that names a view model.",
    advice:
      "Send an object such as {\"viewModel\":\"counter\"}; GET /view-models lists the names."
  )

  package static let invalidToken = Problem(
    401,
    "invalid-token",
    "The token is not valid",
    detail: "Send a token that the service knows and that has not expired, or ask for a new one.",
    meaning:
      "The request says who sends it, and the service does not believe it: the token is unknown, has expired or "
      + "comes twice. Nothing was done."
  ).with("WWW-Authenticate", "Bearer error=\"invalid_token\"")

  package static let loggedOut = Problem(
    401,
    "logged-out",
    "You have logged out",
    detail: "Log in again.",
    meaning:
      "The browser's user has logged out, so the client forgets what the browser keeps of their sessions. Nothing "
      + "was done."
  ).with("WWW-Authenticate", "Bearer")

  package static let notPermitted = Problem(
    403,
    "not-permitted",
    "You may not do this",
    detail: "Ask whoever runs the session to do it.",
    meaning:
      "The view model has a rule that says who may do what with its sessions, and the detail is the rule's sentence. "
      + "Without a rule, a session that an identity or the program created for nobody is ended only by these. "
      + "Nothing was done.",
    advice: "Log in as somebody who may, or ask them."
  )

  static let notPermittedNow = Problem(
    403,
    "not-permitted-now",
    "You may not do this now",
    detail: "Look at the session again: it may have changed.",
    meaning:
      "The view model has a rule that says who may send what in which State, and the detail is the rule's sentence. "
      + "The Input was not applied. Of a batch, those before `index` stand, and those after it were not processed.",
    advice: "Send what State allows, or ask whoever may do it."
  )

  package static let otherSender = Problem(
    412,
    "other-sender",
    "Somebody else sends this",
    detail: "Log in as the one who began this, or send it without If-Sender.",
    meaning:
      "If-Sender has the Sender of an earlier answer, and another identity sends the request now: somebody else has "
      + "logged in. Nothing was done."
  )

  package static let sessionSetAside = Problem(
    503,
    "session-set-aside",
    "The session is set aside",
    detail:
      "Its view model has ended the service twice. Nothing was done, and what is stored stays; try again after the "
      + "seconds in Retry-After, or create a new session.",
    meaning:
      "A fault in the view model has ended the process twice while this session was at work, so the service leaves "
      + "it alone: its alarms, messages and followings wait. All other sessions go on.",
    advice:
      "As a client, try again after the seconds in Retry-After, or create a new session. As the operator, find the "
      + "fault in the log and start a corrected build, which tries the session once; or call "
      + "uifusion sessions resume --session ID."
  ).with("Retry-After", "60")

  package static let shareForbids = Problem(
    403,
    "share-forbids",
    "The share does not allow this",
    detail: "Ask who has shared the session for a share of another role.",
    meaning:
      "The id is that of a share. An observer's is for reading and following, a driver's for Inputs, too; "
      + "ending the session and sharing it take the session's own id. Nothing was done."
  )

  package static let tooManyClientInputs = Problem(
    429,
    "too-many-client-inputs",
    "This client sends too many Inputs",
    detail: "Send it again after the seconds in Retry-After; nothing was applied.",
    meaning:
      "This address, or this proxy, sends more Inputs a second than one client may; each "
      + "Input of a batch counts.",
    advice: "Send it again after the seconds in Retry-After. \(trustedProxy)",
    limit: "inputs-per-second"
  )

  package static let tooManyClientSessions = Problem(
    429,
    "too-many-client-sessions",
    "This client has too many sessions",
    detail: "Delete sessions that are no longer needed, or try again later.",
    meaning:
      "This address, or this proxy, has as many sessions as one client may have. No session "
      + "was created.",
    advice: "Delete sessions that are no longer needed, or try again later. \(trustedProxy)",
    limit: "max-sessions-per-client"
  ).with("Retry-After", "30")

  package static let tooManyClientStreams = Problem(
    429,
    "too-many-client-streams",
    "This client has too many streams",
    detail:
      "Close streams, or follow several sessions over one with GET "
      + "/events?session=A&session=B.",
    meaning:
      "This address, or this proxy, has as many streams open as one client may have.",
    advice:
      "Close streams, or follow several sessions over one with GET "
      + "/events?session=A&session=B. \(trustedProxy)",
    limit: "max-streams-per-client"
  ).with("Retry-After", "30")

  package static let tooManySessions = Problem(
    503,
    "too-many-sessions",
    "Too many sessions",
    detail: "Delete sessions that are no longer needed, or try again later.",
    meaning:
      "The service has as many sessions as it may have. None was created. Unused sessions "
      + "expire.",
    limit: "max-sessions"
  ).with("Retry-After", "30")

  package static let tooManyShares = Problem(
    429,
    "too-many-shares",
    "The session has too many shares",
    detail: "Revoke shares that are no longer needed: a session may have {}.",
    meaning: "The session has as many shares as it may have. None was made.",
    advice: "Revoke shares that are no longer needed, with DELETE /sessions/{id}/shares/{share}."
  )

  package static let unauthenticated = Problem(
    401,
    "unauthenticated",
    "The service does not know who you are",
    detail:
      "Send the token that you were given, as Authorization: Bearer TOKEN, or log in.",
    meaning:
      "Sessions are for those alone who say who they are, and the request does not. Nothing was done."
  ).with("WWW-Authenticate", "Bearer")

  package static let unknownSession = Problem(
    404,
    "unknown-session",
    "Unknown session",
    detail: "Create a session with POST /sessions.",
    meaning:
      "No session has this id: it is misspelt, it ended a while ago, it belongs to somebody "
      + "else, or the service was started with another folder of sessions or none (--data)."
  )

  package static let unknownShare = Problem(
    404,
    "unknown-share",
    "Unknown share",
    detail: "GET /sessions/{id}/shares lists those that are good.",
    meaning: "The session has no share of this id: it is misspelt, has expired or was revoked."
  )

  package static let unknownVersion = Problem(
    404,
    "unknown-version",
    "The version is not kept",
    detail:
      "GET /sessions/{id}/versions lists those that are; start with --history-days to keep more.",
    meaning:
      "The session never had this version, its history does not reach back so far, or the State "
      + "before it is no longer kept. By default a long State is kept in whole only now and then."
  )

  package static let unknownViewModel = Problem(
    404,
    or: 422,
    "unknown-view-model",
    "Unknown view model",
    detail: "Name one of those that GET /view-models lists.",
    meaning:
      "No view model of that name is hosted: 404 where the path names it, 422 where the body "
      + "does. The member known lists those that are. A program hosts one of its own with "
      + "catalog.host."
  )

  package static let unreadableSession = Problem(
    410,
    or: 503,
    "unreadable-session",
    "The session cannot be read",
    detail:
      "It was stored by a {} that this service does not know how to read; until it expires "
      + "it stays stored for one that does. Create a new one with POST /sessions.",
    meaning:
      "The session was stored by a program whose view model this one cannot read: State has "
      + "another shape, or no view model of that name is hosted. 503 where several nodes share "
      + "the store: this one has let go of it, and another may be of a version that reads it.",
    advice:
      "After a 503, try again in a moment. After a 410, create a new session. To have the "
      + "old one back, start the program that stored it, or give the view model a migrate; "
      + "sessions stay stored until they expire."
  )
}

private let trustedProxy = "Name a proxy in front of the service with --trusted-proxy."
