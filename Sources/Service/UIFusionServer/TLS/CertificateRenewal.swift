import FoundationEssentials
import FusionMicrohttpdServer
import FusionTLS
import Synchronization

/// Keeps the certificate that is shown the one that its files hold, and tells of its end before it comes.
///
/// A renewal may take any way: files that are written anew, or links that lead elsewhere from then on.
final class CertificateRenewal: Sendable {
  private struct State {
    var identity: TLSIdentity
    var expiry: CertificateExpiry
    /// As the files were when they were last found to hold `identity`.
    var marks: TLSFileMarks?
    /// What was said of files that could not be used.
    var complaint: (marks: TLSFileMarks, text: String)?
  }

  private let configuration: Configuration
  private let date: @Sendable () -> Date
  private let log: Log
  private let use: @Sendable (TLSIdentity) throws(StartError) -> Void
  private let state: Mutex<State>
  /// Beside the state, whose lock is held while files are read.
  private let end: Atomic<Int>

  /// Begins with what is shown so far; `use` has another one shown from then on.
  ///
  /// Where that throws, what clients are shown stays as it was, and it is given the same one again the next
  /// time.
  init(
    _ configuration: Configuration,
    showing identity: TLSIdentity,
    date: @escaping @Sendable () -> Date,
    _ log: Log,
    use: @escaping @Sendable (TLSIdentity) throws(StartError) -> Void
  ) throws(ServiceError) {
    let expiry = try configuration.expiry(of: identity)
    self.configuration = configuration
    self.date = date
    self.log = log
    self.use = use
    end = Atomic(expiry.notAfter)
    state = Mutex(State(identity: identity, expiry: expiry))
  }

  /// When the certificate that is shown ends, in Unix seconds.
  ///
  /// Any thread; does not wait.
  var notAfter: Int { end.load(ordering: .relaxed) }

  /// Looks at the files, and uses what has changed in them; then at the calendar.
  ///
  /// Waits for the disk. What cannot be used is said once, and tried again the next time.
  func look() {
    state.withLock { state in
      let marks = configuration.tlsFileMarks
      if marks != state.marks { renew(&state, marks) }
      tellOfEnd(&state)
    }
  }

  /// Reads the files again whether they have changed or not, and says so.
  func reread() {
    state.withLock { state in
      do throws(ServiceError) {
        _ = try update(&state, configuration.tlsFileMarks)
        log.info("the certificate was read again: it is shown to new connections")
      } catch {
        log.error(
          "the certificate cannot be renewed, and stays as it was",
          ("error", error.description)
        )
      }
      tellOfEnd(&state)
    }
  }

  private func renew(_ state: inout State, _ marks: TLSFileMarks) {
    do throws(ServiceError) {
      guard try update(&state, marks) else { return }
      log.info(
        "the certificate's files have changed: it is shown to new connections",
        ("expires", text(state.expiry.notAfter))
      )
    } catch {
      let isKnown = state.complaint.map { $0 == (marks, error.description) } ?? false
      state.complaint = (marks, error.description)
      guard !isKnown else { return }
      log.warning(
        "the certificate's files have changed and cannot be used: it stays as it was, they are tried again",
        ("error", error.description)
      )
    }
  }

  /// Uses what the files hold; false where that is what is shown already.
  ///
  /// The marks are from before the files are read, so that a change meanwhile is seen the next time.
  private func update(
    _ state: inout State,
    _ marks: TLSFileMarks
  ) throws(ServiceError) -> Bool {
    guard let identity = try configuration.tlsIdentity else { return false }
    let isOther = identity != state.identity
    if isOther {
      let expiry = try configuration.expiry(of: identity)
      do {
        try use(identity)
      } catch {
        throw configuration.serviceError(error)
      }
      state.identity = identity
      state.expiry = expiry
      end.store(expiry.notAfter, ordering: .relaxed)
    }
    state.marks = marks
    state.complaint = nil
    return isOther
  }

  private func tellOfEnd(_ state: inout State) {
    let now = Int(date().timeIntervalSince1970.rounded(.down))
    switch state.expiry.notice(at: now) {
    case nil: break
    case .soon(let days):
      log.warning(
        "the certificate ends soon: renew its files, they are read by themselves",
        ("expires", text(state.expiry.notAfter)),
        ("days", "\(days)")
      )
    case .expired:
      log.error(
        "the certificate has expired, and clients refuse it: renew its files, they are read by themselves",
        ("expired", text(state.expiry.notAfter))
      )
    }
  }
}

extension Configuration {
  fileprivate func expiry(of identity: TLSIdentity) throws(ServiceError) -> CertificateExpiry {
    guard let validity = CertificateValidity(pem: identity.certificate) else {
      throw ServiceError(description: tlsComplaint)
    }
    return CertificateExpiry(validity)
  }
}

/// RFC 3339 in UTC.
private func text(_ seconds: Int) -> String {
  Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
}
