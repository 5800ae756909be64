import FusionCommandLine
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Glibc
import UIFusionKit
import UIFusionServer

/// Writes typed clients of the hosted view models.
struct ClientTypeScriptCommand: Command {
  static let name = "client typescript"
  static let summary = "write a typed client of each view model"
  static var flags: [Flag<Self>] {
    [
      Flag("view-model", "NAME", "the view model", \.viewModel, defaultValue: "all"),
      Flag("output", "FOLDER", "folder of the files", \.output),
      Flag("page", "types for /uifusion.js alone, for a page of the service", \.isForPage),
    ]
  }

  var viewModel: String?
  var output = "."
  var isForPage = false

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let chosen = try chosen(of: catalog)
    // An error shows when the first file is written.
    mkdir(output, 0o777)
    for hosted in chosen {
      let description = try JSONDocument(hosted.description(dependencies).bytes).root
      let client = TypeScriptClient(description)
      var files = [
        ("\(client.name).d.ts", client.declarations), ("\(client.name).js", client.module),
      ]
      if isForPage { files = [("\(client.name).d.ts", client.pageDeclarations)] }
      for (name, text) in files {
        try Files.write(Array(text.utf8), to: "\(output)/\(name)", mode: 0o666)
      }
      let names = files.map(\.0).joined(separator: " and ")
      writeToStandardOutput("wrote \(names) to \(output)\n")
    }
    return 0
  }

  private func chosen(of catalog: ViewModelCatalog) throws(UsageError) -> [HostedViewModel] {
    guard let viewModel else { return catalog.viewModels }
    let found = catalog.viewModels.filter { $0.name == viewModel }
    if !found.isEmpty { return found }
    let names = catalog.viewModels.map(\.name)
    let advice =
      nearestWord(to: viewModel, in: names).map { "did you mean \($0)?" }
      ?? names.joined(separator: ", ")
    throw UsageError("no view model \(viewModel) is hosted: \(advice)")
  }
}
