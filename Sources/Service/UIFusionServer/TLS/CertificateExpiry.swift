import FusionTLS

/// What is to be said of a certificate's end: once each as 30 days, 7 days and a day are left of it, and once
/// it is over.
///
/// A mark beyond the middle of its life is left out: one that is made for few days is renewed when few are
/// left.
struct CertificateExpiry {
  enum Notice: Equatable {
    case soon(daysLeft: Int)
    case expired
  }

  let notAfter: Int
  /// The marks not told of yet, in seconds before the end; the last one is the end.
  private var marks: [Int]

  init(_ validity: CertificateValidity) {
    notAfter = validity.notAfter
    let life = validity.notAfter - validity.notBefore
    marks = [30, 7, 1].map { $0 * day }.filter { $0 * 2 <= life } + [0]
  }

  /// What is to be said at a moment, in Unix seconds, if anything.
  mutating func notice(at now: Int) -> Notice? {
    let left = notAfter - now
    let reached = marks.prefix { left <= $0 }
    marks.removeFirst(reached.count)
    return reached.last.map { $0 == 0 ? .expired : .soon(daysLeft: left / day) }
  }
}

private let day = 86_400
