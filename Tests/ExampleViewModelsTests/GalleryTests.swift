import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `The gallery` {
  private typealias State = GalleryViewModel.State
  private let page = Recorder { GalleryViewModel(time: $0.time) }

  @Test func `shows the progress of downloads, one after another`() async {
    page.send(.download, .download)
    await page.clock.advance(by: .milliseconds(3200))
    #expect(page.newStates().map(\.progress) == [0, 25, 50, 75, nil, 0, 25, 50, 75, nil])
    #expect(page.state.downloads == 2 && page.isSettled)
  }

  @Test func `ends a download that was interrupted`() {
    let model = GalleryViewModel(time: page.clock)
    #expect(model.restored(Interrupted()) == [])
    model.state.progress = 50
    #expect(model.restored(Interrupted()) == [.stopDownload])
  }

  @Test func `moves a row to its new position, or to the nearest valid one`() async {
    page.send(.move(id: 1, to: 1), .move(id: 2, to: 9), .move(id: 3, to: -1), .move(id: 4, to: 0))
    await page.clock.idle()
    #expect(page.state.rows.map(\.id) == [3, 1, 2])
  }

  @Test func `accepts the JSON that its page sends`() throws {
    let written: [GalleryViewModel.Input] = try inputs(
      #"{"setSize":"large"}"#,
      #"{"put":{"in":"right"}}"#,
      #"{"setSight":true}"#
    )
    #expect(written.count == 3)
    #expect(try restored(State(progress: 25, alert: "?")) == State(progress: 25, alert: "?"))
  }
}
