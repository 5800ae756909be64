import UIFusionServer
import UIFusionTools

await UIFusionCommand.main(examples, tools: .all)
