import FusionHTTPMessages

/// The names of all problems that the service answers with: part of its contract.
///
/// Their texts are not here: each problem is made in one place, in a file of this folder or, where
/// `MicrohttpdServer` answers with it, in `HTTPMessages/Problems`. A test compares this list with both, and with the
/// pages (``ProblemPage``).
enum ProblemNames {
  static let all = [
    "bad-framing", "bad-host", "bad-target", "batch-too-long", "content-too-large", "draining",
    "ended-session",
    "foreign-origin", "invalid-input", "invalid-parameters", "invalid-query", "invalid-request",
    "malformed-condition", "malformed-idempotency-key", "malformed-json", "malformed-request",
    "memory-full", "method-not-allowed", "misdirected-request", "no-answer", "not-found",
    "other-node",
    "precondition-failed", "queue-full", "reused-idempotency-key", "starting", "state-not-writable",
    "state-too-large", "store-full", "store-in-doubt",
    "store-unreachable", "too-many-client-inputs", "too-many-client-sessions",
    "too-many-client-streams", "too-many-connections", "too-many-sessions", "unanswered-condition",
    "unknown-http-version", "unknown-member", "unknown-method", "unknown-session",
    "unknown-view-model", "unreachable-node", "unreadable-session", "unsatisfiable-range",
    "unsupported-media-type",
  ]
}
