import FusionCommandLine
import FusionHTTPToolkit
import FusionMicrohttpdServer

extension Configuration {
  /// The certificate and its key; nil if TLS is not configured.
  var tlsIdentity: TLSIdentity? {
    get throws(ServiceError) {
      guard let tlsCertificate, let tlsKey else { return nil }
      let certificate = try pem(tlsCertificate)
      guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
        throw ServiceError("\(tlsCertificate) contains no certificate in PEM")
      }
      let key = try pem(tlsKey)
      guard !key.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") else {
        throw ServiceError(
          "\(tlsKey) is encrypted: write it without a password (openssl pkey -in …)"
        )
      }
      guard key.contains("PRIVATE KEY-----") else {
        throw ServiceError("\(tlsKey) contains no private key in PEM")
      }
      return TLSIdentity(certificate: certificate, key: key)
    }
  }

  /// The marks of the two files now; nil for one that does not exist.
  var tlsFileMarks: [FileMark?] {
    [tlsCertificate, tlsKey].compactMap(\.self).map(FileMark.init(path:))
  }

  /// Makes the message for a server that does not start, or does not take another certificate.
  func serviceError(_ error: StartError) -> ServiceError {
    ServiceError(
      error.isOfIdentity ? invalidIdentityMessage : error.description
    )
  }

  /// The message for a certificate and a key that cannot be used.
  var invalidIdentityMessage: String {
    "cannot use \(tlsCertificate ?? "the certificate") and \(tlsKey ?? "its key"): "
      + "one is damaged, or the key is not the certificate's"
  }
}

private func pem(_ path: String) throws(ServiceError) -> [UInt8] {
  do {
    return try Files.read(path)
  } catch {
    throw ServiceError(error.description)
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
