/// What a server shows to prove who it is (RFC 8446 §4.4.2): texts in PEM, as their files hold them.
package struct TLSIdentity: Sendable, Equatable {
  /// The certificate, followed by those that lead to a known authority.
  package var certificate: [UInt8]
  package var key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }

  /// What is spoken, in GnuTLS's words: TLS 1.2 and 1.3, keys of 128 bits at the least, and none that
  /// whoever gets hold of the certificate's key later could find out (RFC 9325 §4.1).
  static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:%SERVER_PRECEDENCE"
}
