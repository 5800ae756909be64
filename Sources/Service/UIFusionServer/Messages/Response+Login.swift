extension Response {
  /// A change of who a browser's user is.
  enum Login: Sendable {
    case begin(Identity, Duration)
    case end
  }

  /// Logs in the browser that gets the answer, by a signed cookie that is valid for a time, or until the identity
  /// expires, whichever is earlier.
  ///
  /// The service needs `--auth-cookies`; without it the answer is 500, and the log says why.
  public mutating func logIn(_ identity: Identity, for duration: Duration) {
    login = .begin(identity, duration)
  }

  /// Logs out the browser that gets the answer.
  ///
  /// A copy of its cookie stays valid until it expires.
  public mutating func logOut() {
    login = .end
  }
}
