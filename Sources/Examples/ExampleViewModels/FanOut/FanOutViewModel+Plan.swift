package import UIFusionKit

extension FanOutViewModel: Planned {
  package static let plan: [PlannedInput<FanOutViewModel>] = [
    .input(
      .buttonTap,
      "버튼 선택",
      [
        .action(.countTap, ["count": "값이 1 증가합니다."]),
        .action(.changeColor, ["color": "다음 색으로 바뀝니다."]),
        .action(.changeButtonText, ["buttonText": "\"Button Tapped: 1\"처럼 횟수를 보여 줍니다."]),
        .action(.changeLabelText, ["labelText": "\"Button tapped 1\"처럼 횟수를 보여 줍니다."]),
        .action(.changeFrame, ["frame": "홀수 번째에는 200×80이 됩니다."]),
      ]
    ),
    .input(
      .buttonTap,
      "한 번 더 버튼 선택",
      after: [.buttonTap],
      [
        .action(.countTap, ["count": "값이 1 증가합니다."]),
        .action(.changeColor, ["color": "다음 색으로 바뀝니다."]),
        .action(.changeButtonText, ["buttonText": "\"Button Tapped: 2\"로 바뀝니다."]),
        .action(.changeLabelText, ["labelText": "\"Button tapped 2\"로 바뀝니다."]),
        .action(.changeFrame, ["frame": "짝수 번째에는 180×50으로 돌아갑니다."]),
      ]
    ),
  ]
}
