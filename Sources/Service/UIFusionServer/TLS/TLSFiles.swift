import FoundationEssentials
import FusionMicrohttpdServer
import Glibc

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

  /// Whether one of the two files is another, or has changed.
  var tlsFileMarks: TLSFileMarks { TLSFileMarks(of: [tlsCertificate, tlsKey].compactMap { $0 }) }

  /// Why a server did not start, or does not show another identity.
  func serviceError(_ error: StartError) -> ServiceError {
    ServiceError(
      description: error.reason == .identityNotValid ? tlsComplaint : error.description
    )
  }

  /// What to say where the two cannot be used.
  var tlsComplaint: String {
    "\(tlsCertificate ?? "the certificate") and \(tlsKey ?? "its key") cannot be used: "
      + "either is damaged, or the key is not the certificate's"
  }
}

/// What tells files from others under the same names, and from themselves before a change.
struct TLSFileMarks: Equatable {
  /// Nil where there is no such file.
  private var marks: [[Int]?]

  /// Of the files that the names lead to, over however many links.
  init(of paths: [String]) {
    marks = paths.map { path in
      var file = stat()
      guard stat(path, &file) == 0 else { return nil }
      return [
        Int(file.st_dev), Int(file.st_ino), Int(file.st_size),
        file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec,
      ]
    }
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
