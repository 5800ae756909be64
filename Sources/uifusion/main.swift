import UIFusionServer

await UIFusionCommand.main(examples)
