package import UIFusionKit

extension CounterViewModel: Planned {
  package static let plan: [PlannedInput<CounterViewModel>] = [
    .input(
      .increase,
      "increase 버튼 선택",
      [
        .action(
          .increaseValue,
          [
            "loadingState": "기다리는 0.5초 동안 increasing으로 설정됩니다.",
            "value": "값이 1 증가합니다.",
          ]
        )
      ]
    ),
    .input(
      .increase,
      "값이 10일 때 increase 버튼 선택",
      after: Array(repeating: .increase, count: 10),
      [
        .action(
          .increaseValue,
          [
            "loadingState": "기다리는 0.5초 동안 increasing으로 설정됩니다.",
            "activeAlert": "허용 범위를 벗어났다는 오류가 표시되고, 값은 그대로입니다.",
          ]
        )
      ]
    ),
    .input(
      .decrease,
      "decrease 버튼 선택",
      [
        .action(
          .decreaseValue,
          [
            "loadingState": "기다리는 0.5초 동안 decreasing으로 설정됩니다.",
            "value": "값이 1 감소합니다.",
          ]
        )
      ]
    ),
    .input(
      .decrease,
      "값이 −10일 때 decrease 버튼 선택",
      after: Array(repeating: .decrease, count: 10),
      [
        .action(
          .decreaseValue,
          [
            "loadingState": "기다리는 0.5초 동안 decreasing으로 설정됩니다.",
            "activeAlert": "허용 범위를 벗어났다는 오류가 표시되고, 값은 그대로입니다.",
          ]
        )
      ]
    ),
    .input(
      .reset,
      "reset 버튼 선택",
      after: [.increase],
      [.action(.resetValue, ["value": "값이 0으로 초기화됩니다."])]
    ),
    .input(
      .show,
      "show 버튼 선택",
      [.action(.showAlert, ["activeAlert": "현재 값을 알려 주는 알림이 표시됩니다."])]
    ),
    .input(
      .dismissAlert,
      "알림 닫기 버튼 선택",
      after: [.show],
      [.action(.dismissAlert, ["activeAlert": "null로 설정되어 알림이 사라집니다."])]
    ),
  ]
}
