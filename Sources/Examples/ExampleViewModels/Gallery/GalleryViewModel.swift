package import UIFusionKit

/// The State behind a page of controls and gestures (the asynchronous pattern).
package final class GalleryViewModel: AsyncViewModel {
  package var state = State()
  private let time: any TimeSource

  package init(time: any TimeSource) {
    self.time = time
  }

  package func transform(_ input: Input) async -> [Action] {
    switch input {
    case .download: [.download]
    case .setEmail(let text): [.setEmail(text)]
    case .setSize(let size): [.setSize(size)]
    case .show(let picture): [.show(picture: picture)]
    case .ask: [.setAlert("It waits in State until somebody answers.")]
    case .dismissAlert: [.setAlert(nil)]
    case .setLevel(let percent): [.setLevel(min(max(percent, 0), 100))]
    case .press: [.togglePin]
    case .put(let place): [.put(in: place)]
    case .move(let id, let place): [.move(id: id, to: place)]
    case .remove(let id): [.remove(id: id)]
    case .bringBack: [.bringBack]
    case .setSight(let isInSight): [.setSight(isInSight)]
    }
  }

  /// Does not repeat a download that was cut off.
  package func restored(_ interrupted: Interrupted) -> [Action] {
    state.progress == nil ? [] : [.stopDownload]
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .download: try await download()
    case .stopDownload: state.progress = nil
    case .setEmail(let text):
      state.email = text
      state.emailError = text.contains("@") ? nil : "An address has an @."
    case .setSize(let size): state.size = size
    case .show(let picture): state.picture = picture
    case .setAlert(let text): state.alert = text
    case .setLevel(let percent): state.level = percent
    case .togglePin: state.isPinned.toggle()
    case .put(let place): state.place = place
    case .move(let id, let place):
      guard let index = state.rows.firstIndex(where: { $0.id == id }) else { break }
      let row = state.rows.remove(at: index)
      state.rows.insert(row, at: min(max(place, 0), state.rows.count))
    case .remove(let id): state.rows.removeAll { $0.id == id }
    case .bringBack: state.rows = State().rows
    case .setSight(let isInSight):
      state.isInSight = isInSight
      if isInSight { state.appearances += 1 }
    }
  }

  package func handleError(_ error: SendableError) async {
    state.alert = error.description
  }

  private nonisolated(nonsending) func download() async throws {
    state.progress = 0
    defer { state.progress = nil }
    for percent in [25, 50, 75, 100] {
      try await time.sleep(for: .milliseconds(400))
      state.progress = percent
    }
    state.downloads += 1
  }
}

extension GalleryViewModel {
  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The progress of the download in percent; nil if there is none.
    package var progress: Int?
    package var downloads = 0
    package var email = ""
    package var emailError: String?
    package var size = Size.medium
    /// The address of an image.
    package var picture = "favicon.svg"
    package var alert: String?
    /// The level in percent.
    package var level = 40
    package var isPinned = false
    package var place = Place.left
    package var rows = [
      Row(id: 1, title: "Bread"), Row(id: 2, title: "Milk"), Row(id: 3, title: "Tea"),
    ]
    package var isInSight = false
    package var appearances = 0
  }

  package struct Row: Codable, Equatable, Sendable {
    package var id: Int
    package var title: String
  }

  package enum Size: String, Codable, Sendable { case small, medium, large }

  package enum Place: String, Codable, Sendable { case left, right }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case download, setEmail(String), setSize(Size), show(picture: String), ask, dismissAlert
    case setLevel(Int), press, put(in: Place), move(id: Int, to: Int), remove(id: Int), bringBack
    case setSight(Bool)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case download, setEmail(String), setSize(Size), show(picture: String), setAlert(String?)
    case setLevel(Int), togglePin, put(in: Place), move(id: Int, to: Int), remove(id: Int),
      bringBack
    case setSight(Bool)
    /// Ends a download that the process's end has cut off.
    case stopDownload
  }
}
