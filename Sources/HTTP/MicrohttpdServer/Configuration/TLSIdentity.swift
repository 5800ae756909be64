/// What a server shows to prove who it is (RFC 8446 §4.4.2): texts in PEM, as their files hold them.
package struct TLSIdentity: Sendable, Equatable {
  /// The certificate, followed by those that lead to a known authority.
  package var certificate: [UInt8]
  package var key: [UInt8]

  package init(certificate: [UInt8], key: [UInt8]) {
    self.certificate = certificate
    self.key = key
  }

  /// What is spoken, in GnuTLS's words: TLS 1.2 and 1.3, ECDHE and AEAD alone (RFC 9325 §4.2).
  ///
  /// So no key is one that whoever gets hold of the certificate's key later could find out.
  static let priorities =
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-GROUP-DH-ALL"
    + ":-CIPHER-ALL:+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"
}
