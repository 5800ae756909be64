import FusionHTTPToolkit
import FusionSessionAPI
import UIFusionKit

extension Configuration {
  /// Indexes the front end's files; there are none if the default folder does not exist.
  func files(_ log: Log) throws -> FileIndex {
    let folder = publicFolder
    do {
      // A service for this machine alone may be in use by the pages' developer.
      let time = Dependencies().time
      let clock: @Sendable () -> Duration = { time.now }
      return try FileIndex(
        folder: folder,
        limit: MemoryLimit.own.filesLimit,
        markup: .client,
        renewedBy: listensOnLoopback ? clock : nil
      )
    } catch  where folder == Configuration().publicFolder && !FileIndex.exists(folder) {
      // No flag names the folder: a service without a front end is fine.
      log.warning("no front end found: --public FOLDER names its folder", ("searched", folder))
      return .empty
    } catch {
      throw ServiceError(
        "cannot read the front end's folder \(folder) (\(error)): "
          + "name another with --public"
      )
    }
  }
}
