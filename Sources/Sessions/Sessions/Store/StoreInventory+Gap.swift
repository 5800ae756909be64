import UIFusionKit

extension StoreInventory {
  /// A gap as short as this is always believed.
  private static let believable = Duration.seconds(60)

  /// For how long nobody was with any session before a start, where that is not to be believed.
  ///
  /// While a process runs, none of its sessions stays idle for as long as this. So the service was down
  /// for all of the time, or the calendar is wrong; and if it is, every session would end at once, for
  /// good.
  func unbelievableGap(before start: WallTime, idleTime: Duration) -> Duration? {
    guard let last = sessions.map(\.used).max() else { return nil }
    let gap = Duration.milliseconds(start.milliseconds - last.milliseconds)
    return gap > max(idleTime, Self.believable) ? gap : nil
  }
}
