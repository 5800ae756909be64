import CFusionGnuTLS

/// The period in which a certificate is valid (RFC 5280 §4.1.2.5), in Unix seconds.
package struct CertificateValidity: Sendable, Equatable {
  package let notBefore: Int
  package let notAfter: Int

  package init(notBefore: Int, notAfter: Int) {
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// Reads the first certificate of a PEM text, the server's own (RFC 8446 §4.4.2); nil if it cannot be read.
  package init?(pem: [UInt8]) {
    var certificate: gnutls_x509_crt_t?
    guard unsafe gnutls_x509_crt_init(&certificate) == 0, let certificate = unsafe certificate
    else { return nil }
    defer { unsafe gnutls_x509_crt_deinit(certificate) }
    var text = pem
    let isRead = unsafe text.withUnsafeMutableBufferPointer { text in
      var datum = unsafe gnutls_datum_t(data: text.baseAddress, size: UInt32(clamping: text.count))
      return unsafe gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_PEM) == 0
    }
    guard isRead else { return nil }
    notBefore = unsafe gnutls_x509_crt_get_activation_time(certificate)
    notAfter = unsafe gnutls_x509_crt_get_expiration_time(certificate)
    guard notBefore != -1, notAfter != -1 else { return nil }
  }
}
