import Glibc
import Testing

@testable import FusionMicrohttpdServer

/// A temporary folder, and the path of a socket in it.
///
/// A port that was free a moment ago may still have clients of another test, which call again; a path has
/// none: what counts connections listens on one.
final class SocketPlace: Sendable {
  let folder: String
  var path: String { folder + "/http.sock" }

  init() throws {
    var template = Array("/tmp/uifusion-XXXXXX".utf8CString)
    folder = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }

  var exists: Bool { access(path, F_OK) == 0 }

  /// Leaves a socket's file without a listener.
  func leaveStale() {
    let socket = UnixSocket.make()
    #expect(UnixSocket.bind(socket, to: path) && listen(socket, 1) == 0)
    close(socket)
  }
}
