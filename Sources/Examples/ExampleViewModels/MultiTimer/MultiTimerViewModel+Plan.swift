package import UIFusionKit

extension MultiTimerViewModel: Planned {
  package static let plan: [PlannedInput<MultiTimerViewModel>] = [
    .input(
      .startAll,
      "startAll 버튼 선택",
      [
        .action(.start(.A), ["timers": "A, B, C, D의 isRunning이 true로 설정됩니다."]),
        .action(.tick(.A), ["timers": "ticks가 A는 1초, B는 0.5초, C는 2초, D는 0.3초마다 1 증가합니다."]),
      ]
    ),
    .input(
      .startAll,
      "일부가 진행 중일 때 startAll 버튼 선택",
      after: [.start(.A)],
      delay: .milliseconds(700),
      [
        .action(.start(.A), ["timers": "멈춰 있던 타이머의 isRunning만 true로 설정됩니다."]),
        .action(.tick(.A), ["timers": "A도 제 간격대로 이어집니다: 다음 tick이 미뤄지지 않습니다."]),
      ]
    ),
    .input(
      .stopAll,
      "stopAll 버튼 선택",
      after: [.startAll],
      delay: .seconds(3),
      [.action(.stop(.A), ["timers": "모든 isRunning이 false로 설정되고, ticks는 그대로 멈춥니다."])]
    ),
    .input(
      .start(.A),
      "한 타이머의 start 버튼 선택",
      [
        .action(.start(.A), ["timers": "그 타이머의 isRunning이 true로 설정됩니다."]),
        .action(.tick(.A), ["timers": "그 타이머의 ticks가 제 간격마다 1 증가합니다."]),
      ]
    ),
    .input(
      .start(.A),
      "이미 진행 중인 타이머의 start 버튼 선택: 그대로 이어집니다.",
      after: [.start(.A)],
      delay: .milliseconds(700),
      [
        .action(.start(.A)),
        .action(.tick(.A), ["timers": "그 타이머의 ticks가 제 간격마다 1 증가합니다."]),
      ]
    ),
    .input(
      .stop(.A),
      "한 타이머의 stop 버튼 선택",
      after: [.start(.A)],
      delay: .seconds(3),
      [.action(.stop(.A), ["timers": "그 타이머의 isRunning이 false로 설정되고, ticks는 그대로 멈춥니다."])]
    ),
  ]
}
