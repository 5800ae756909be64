import CFusionMicrohttpd

/// The libmicrohttpd that this process runs with.
package enum Library {
  package static let version = unsafe String(cString: MHD_get_version())

  /// The version on which it was shown that a stream's socket can be taken over.
  ///
  /// It is nothing that the library promises: when it first asks for a body, what it does with a socket
  /// that it lets go of, and what it does about an answer that fails.
  package static let provenVersion = "0.9.75"

  static func isProven(_ version: String) -> Bool { version == provenVersion }
}
