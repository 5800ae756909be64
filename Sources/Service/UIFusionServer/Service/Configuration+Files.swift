import FusionHTTPToolkit
import FusionSessionAPI
import UIFusionKit

extension Configuration {
  /// The front end's files; none where its folder is the usual one, and is not there.
  func files(_ log: Log) throws -> FileIndex {
    let folder = publicFolder
    do {
      // Who listens for this machine alone may be at work on the pages.
      let time = Dependencies().time
      let clock: @Sendable () -> Duration = { time.now }
      return try FileIndex(
        folder: folder,
        limit: MemoryLimit.own.filesLimit,
        markup: .client,
        renewedBy: listensOnLoopback ? clock : nil
      )
    } catch  where folder == Configuration().publicFolder && !FileIndex.exists(folder) {
      // No flag named it: a service without a front end is one, too.
      log.warning("there is no front end: name its folder with --public", ("folder", folder))
      return .empty
    } catch {
      throw ServiceError(
        description: "cannot read the front end's folder \(folder) (\(error)): "
          + "name another with --public"
      )
    }
  }
}
