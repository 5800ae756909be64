package import UIFusionKit

extension CounterSyncViewModel: Planned {
  package static let plan: [PlannedInput<CounterSyncViewModel>] = [
    .input(
      .increase,
      "increase 버튼 선택",
      after: [.reset],
      [
        .action(
          .increaseValue,
          ["value": "값이 1 증가합니다.", "isReset": "값이 false로 설정됩니다."]
        )
      ]
    ),
    .input(
      .decrease,
      "decrease 버튼 선택",
      after: [.reset],
      [
        .action(
          .decreaseValue,
          ["value": "값이 1 감소합니다.", "isReset": "값이 false로 설정됩니다."]
        )
      ]
    ),
    .input(
      .reset,
      "reset 버튼 선택",
      after: [.increase],
      [
        .action(
          .resetValue,
          ["value": "값이 0으로 초기화됩니다.", "isReset": "값이 true로 설정됩니다."]
        )
      ]
    ),
    .input(
      .show,
      "show 버튼 선택",
      [.action(.showAlert, ["showAlert": "값이 트리거됩니다: pulse가 1 증가합니다."])]
    ),
  ]
}
