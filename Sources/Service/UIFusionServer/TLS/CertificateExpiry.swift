import FusionTLS

/// The notices about a certificate's end: one each when 30 days, 7 days and a day are left, and one at the end.
///
/// A threshold beyond the middle of the certificate's life is left out: a certificate for few days is renewed
/// when few are left.
struct CertificateExpiry {
  enum Notice: Equatable {
    case soon(daysLeft: Int)
    case expired
  }

  let notAfter: Int
  /// The thresholds that are still to come, in seconds before the end; the last one is the end.
  private var thresholds: [Int]

  init(_ validity: CertificateValidity) {
    notAfter = validity.notAfter
    let life = validity.notAfter - validity.notBefore
    thresholds = [30, 7, 1].map { $0 * day }.filter { $0 * 2 <= life } + [0]
  }

  /// Returns the notice that is due at a time in Unix seconds, if any.
  mutating func notice(at now: Int) -> Notice? {
    let left = notAfter - now
    let reached = thresholds.prefix { left <= $0 }
    thresholds.removeFirst(reached.count)
    return reached.last.map { $0 == 0 ? .expired : .soon(daysLeft: left / day) }
  }
}

private let day = 86_400
