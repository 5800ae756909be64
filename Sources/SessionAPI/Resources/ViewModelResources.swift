import HTTPMessages
import Sessions
import StrictJSON

/// `/view-models`: what is hosted.
extension SessionAPI {
  func viewModels() -> HTTPResponse {
    let list = ViewModelList(
      viewModels: host.viewModels.map {
        ViewModelList.Entry(name: $0.name, summary: $0.summary, href: "/view-models/\($0.name)")
      }
    )
    return json(list)
  }

  func viewModel(named name: String) throws(Problem) -> HTTPResponse {
    guard let viewModel = host.viewModel(named: name) else {
      throw .unknownViewModel(known: host.viewModels.map(\.name))
    }
    return json(ViewModelDescription(name: viewModel.name, summary: viewModel.summary))
  }

  private func json(_ value: some Encodable) -> HTTPResponse {
    HTTPResponse(200, json: (try? StrictJSON.encode(value)) ?? [])
  }
}

private struct ViewModelList: Encodable {
  let viewModels: [Entry]

  struct Entry: Encodable {
    let name: String
    let summary: String
    let href: String
  }
}

private struct ViewModelDescription: Encodable {
  let name: String
  let summary: String
}
