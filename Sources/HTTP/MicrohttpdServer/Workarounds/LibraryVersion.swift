import CFusionMicrohttpd

/// The version of libmicrohttpd in this process.
///
/// Defect of 0.9.75: a suspended connection costs memory, and each resume scans all suspended ones, so event
/// loops take over the sockets of plain streams from the library. That relies on undocumented behaviour: when
/// the library first asks for a body, what it does with a socket that it releases, and how it ends a failed
/// response. With any other version the library writes all streams itself, as it does over TLS.
package enum LibraryVersion {
  package static let current = unsafe String(cString: MHD_get_version())

  /// The version with which taking over sockets is tested.
  package static let tested = "0.9.75"

  static func canTakeOverStreams(_ version: String) -> Bool { version == tested }
}
