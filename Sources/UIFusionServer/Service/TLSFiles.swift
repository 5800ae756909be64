import FoundationEssentials
import FusionMicrohttpdServer

extension Configuration {
  /// The certificate and its key, where both are asked for.
  var tlsIdentity: TLSIdentity? {
    get throws(ServiceError) {
      guard let tlsCertificate, let tlsKey else { return nil }
      let certificate = try pem(tlsCertificate)
      guard certificate.contains("-----BEGIN CERTIFICATE-----") else {
        throw ServiceError(description: "\(tlsCertificate) holds no certificate in PEM")
      }
      let key = try pem(tlsKey)
      guard !key.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") else {
        throw ServiceError(
          description: "\(tlsKey) is encrypted: write it without a password (openssl pkey -in …)"
        )
      }
      guard key.contains("PRIVATE KEY-----") else {
        throw ServiceError(description: "\(tlsKey) holds no private key in PEM")
      }
      return TLSIdentity(certificate: certificate, key: key)
    }
  }

  /// What to say where the two cannot be used.
  var tlsComplaint: String {
    "\(tlsCertificate ?? "the certificate") and \(tlsKey ?? "its key") cannot be used: "
      + "either is damaged, or the key is not the certificate's"
  }
}

private func pem(_ path: String) throws(ServiceError) -> [UInt8] {
  do {
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  } catch {
    throw ServiceError(description: "cannot read \(path): \(reason(error))")
  }
}

private func reason(_ error: any Error) -> String {
  switch (error as? CocoaError)?.code {
  case .fileReadNoSuchFile: "there is no such file"
  case .fileReadNoPermission: "this user may not read it"
  default: "\(error)"
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
