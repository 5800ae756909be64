import CFusionMicrohttpd

/// The version of libmicrohttpd that this process runs with.
///
/// Defect of 0.9.75: a suspended connection costs memory, and each resume scans all suspended ones, so event loops
/// take the sockets of plain streams over from the library. That relies on behaviour that the library does not
/// promise: when it first asks for a body, what it does with a socket that it lets go of, and how it ends a response
/// that fails. With any other version the library writes all streams itself, as it does over TLS.
package enum LibraryVersion {
  package static let current = unsafe String(cString: MHD_get_version())

  /// The version with which taking over sockets is tested.
  package static let tested = "0.9.75"

  static func canTakeOverStreams(_ version: String) -> Bool { version == tested }
}
