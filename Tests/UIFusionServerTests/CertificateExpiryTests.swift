import FusionTLS
import Testing

@testable import UIFusionServer

struct `A certificate's end` {
  private let day = 86_400

  /// What is said one after another, where so much of a life is left.
  private func notices(life: Int, left: [Int]) -> [CertificateExpiry.Notice?] {
    var expiry = CertificateExpiry(CertificateValidity(notBefore: 1000, notAfter: 1000 + life))
    return left.map { expiry.notice(at: 1000 + life - $0) }
  }

  @Test func `is told of once each as 30, 7 and 1 days are left, and when it is over`() {
    let left = [30 * day + 1, 30 * day, 29 * day, 7 * day, 6 * day, day, day - 1, 1, 0, -1]
    #expect(
      notices(life: 90 * day, left: left) == [
        nil, .soon(daysLeft: 30), nil, .soon(daysLeft: 7), nil, .soon(daysLeft: 1), nil, nil,
        .expired, nil,
      ]
    )
  }

  @Test func `is told of once where several marks have passed`() {
    #expect(notices(life: 90 * day, left: [5 * day, 5 * day]) == [.soon(daysLeft: 5), nil])
    #expect(notices(life: 90 * day, left: [-day, -day]) == [.expired, nil])
  }

  @Test func `is told of at no mark beyond the middle of a short life`() {
    #expect(notices(life: 45 * day, left: [30 * day, 7 * day]) == [nil, .soon(daysLeft: 7)])
    #expect(notices(life: day, left: [day, 1, 0]) == [nil, nil, .expired])
  }

  @Test func `is read from its text, and of a chain the first one's counts`() throws {
    let (short, long) = (try Certificate(days: 3), try Certificate(days: 40))
    let validity = try #require(CertificateValidity(pem: try short.pem + long.pem))
    #expect(validity.notAfter - validity.notBefore == 3 * day)
    #expect(try CertificateValidity(pem: long.pem)?.notAfter ?? 0 > validity.notAfter)
    #expect(CertificateValidity(pem: Array("hello".utf8)) == nil)
    #expect(try CertificateValidity(pem: Array(short.pem.prefix(200))) == nil)
    #expect(CertificateValidity(pem: []) == nil)
  }
}
