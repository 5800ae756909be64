import FusionTLS
import Testing

@testable import UIFusionServer

struct `The expiry of a certificate` {
  private let day = 86_400

  /// Returns the successive notices, given the seconds that are left of a lifetime.
  private func notices(life: Int, left: [Int]) -> [CertificateExpiry.Notice?] {
    var expiry = CertificateExpiry(CertificateValidity(notBefore: 1000, notAfter: 1000 + life))
    return left.map { expiry.notice(at: 1000 + life - $0) }
  }

  @Test func `is announced once each with 30, 7 and 1 days left, and once it has passed`() {
    let left = [30 * day + 1, 30 * day, 29 * day, 7 * day, 6 * day, day, day - 1, 1, 0, -1]
    #expect(
      notices(life: 90 * day, left: left) == [
        nil, .soon(daysLeft: 30), nil, .soon(daysLeft: 7), nil, .soon(daysLeft: 1), nil, nil,
        .expired, nil,
      ]
    )
  }

  @Test func `is announced once if several thresholds have passed`() {
    #expect(notices(life: 90 * day, left: [5 * day, 5 * day]) == [.soon(daysLeft: 5), nil])
    #expect(notices(life: 90 * day, left: [-day, -day]) == [.expired, nil])
  }

  @Test func `is not announced in the first half of a short lifetime`() {
    #expect(notices(life: 45 * day, left: [30 * day, 7 * day]) == [nil, .soon(daysLeft: 7)])
    #expect(notices(life: day, left: [day, 1, 0]) == [nil, nil, .expired])
  }

  @Test func `is read from PEM, and of a chain from the first certificate`() throws {
    let (short, long) = (try Certificate(days: 3), try Certificate(days: 40))
    let validity = try #require(CertificateValidity(pem: try short.pem + long.pem))
    #expect(validity.notAfter - validity.notBefore == 3 * day)
    #expect(try CertificateValidity(pem: long.pem)?.notAfter ?? 0 > validity.notAfter)
    #expect(CertificateValidity(pem: Array("hello".utf8)) == nil)
    #expect(try CertificateValidity(pem: Array(short.pem.prefix(200))) == nil)
    #expect(CertificateValidity(pem: []) == nil)
  }
}
