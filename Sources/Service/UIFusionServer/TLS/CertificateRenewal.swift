import FoundationEssentials
import FusionHTTPToolkit
import FusionMicrohttpdServer
import FusionTLS
import Synchronization
import UIFusionKit

/// Keeps the server's certificate equal to the files, and warns before the certificate ends.
///
/// The files may be rewritten, replaced or linked to others.
final class CertificateRenewal: Sendable {
  private struct State {
    var identity: TLSIdentity
    var expiry: CertificateExpiry
    /// The files' marks when they were last found to hold `identity`.
    var marks: [FileMark?]?
    /// The last warning about files that cannot be used.
    var warning: (marks: [FileMark?], text: String)?
  }

  private let configuration: Configuration
  private let date: @Sendable () -> Date
  private let log: Log
  private let use: @Sendable (TLSIdentity) throws(StartError) -> Void
  private let state: Mutex<State>
  /// The end of the certificate, apart from the state, whose lock is held while files are read.
  private let end: Atomic<Int>

  /// Begins with the server's certificate.
  ///
  /// - Parameters:
  ///   - configuration: the names of the files.
  ///   - identity: the certificate that the server shows.
  ///   - date: the clock.
  ///   - log: the log.
  ///   - use: makes the server show another certificate to new connections. It is called again with the same
  ///     one after it has thrown.
  /// - Throws: ``ServiceError`` for a certificate without an end that can be read.
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

  /// The end of the certificate in Unix seconds; safe on any thread, does not wait.
  var notAfter: Int { end.load(ordering: .relaxed) }

  /// Uses files that have changed, and logs a notice about the certificate's end if one is due.
  ///
  /// Waits for the disk. Files that cannot be used are logged once, and tried again by the next call.
  func check() {
    state.withLock { state in
      let marks = configuration.tlsFileMarks
      if marks != state.marks { renew(&state, marks) }
      logExpiry(&state)
    }
  }

  /// Reads the files again even if they have not changed, and logs the result.
  func reload() {
    state.withLock { state in
      do throws(ServiceError) {
        _ = try update(&state, configuration.tlsFileMarks)
        log.info("certificate reloaded: new connections get it")
      } catch {
        log.error(
          "cannot reload the certificate: the old one stays in use",
          ("error", error.description)
        )
      }
      logExpiry(&state)
    }
  }

  private func renew(_ state: inout State, _ marks: [FileMark?]) {
    do throws(ServiceError) {
      guard try update(&state, marks) else { return }
      log.info(
        "certificate renewed from its changed files: new connections get it",
        ("expires", text(state.expiry.notAfter))
      )
    } catch {
      let isKnown = state.warning.map { $0 == (marks, error.description) } ?? false
      state.warning = (marks, error.description)
      guard !isKnown else { return }
      log.warning(
        "cannot use the changed certificate files: the old certificate stays in use, trying again",
        ("error", error.description)
      )
    }
  }

  /// Uses the files' certificate; returns false if the server shows it already.
  ///
  /// The marks are from before the files are read, so that the next call sees a change meanwhile.
  private func update(
    _ state: inout State,
    _ marks: [FileMark?]
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
    state.warning = nil
    return isOther
  }

  private func logExpiry(_ state: inout State) {
    let now = Int(date().milliseconds / 1_000)
    switch state.expiry.notice(at: now) {
    case nil: break
    case .soon(let days):
      log.warning(
        "the certificate ends soon: renew its files, the service reloads them",
        ("expires", text(state.expiry.notAfter)),
        ("days", "\(days)")
      )
    case .expired:
      log.error(
        "the certificate has expired, and clients refuse it: renew its files, the service reloads them",
        ("expired", text(state.expiry.notAfter))
      )
    }
  }
}

extension Configuration {
  fileprivate func expiry(of identity: TLSIdentity) throws(ServiceError) -> CertificateExpiry {
    guard let validity = CertificateValidity(pem: identity.certificate) else {
      throw ServiceError(invalidIdentityMessage)
    }
    return CertificateExpiry(validity)
  }
}

/// Returns a time in Unix seconds as RFC 3339 in UTC.
private func text(_ seconds: Int) -> String {
  Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
}
