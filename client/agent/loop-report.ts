import type { StepsFrame } from '../../contracts/events/formats/steps';
import type { StartConfig } from '../../contracts/sessions/config';
import { DEFAULT_TIMEOUT_CONFIG } from '../../contracts/sessions/timeouts';
import type { AgentLoopParams, AgentLoopResult } from '../../contracts/tasks/agent-loop';
import type { ILogger } from '../../contracts/tasks/chat';
import { callSafely } from './call-safely';

export type ReportFrame = (frame: StepsFrame) => void;

/** Calls the callbacks of a run of the loop. */
export function createStepReporter({ onStep, onText }: AgentLoopParams, logger: Pick<ILogger, 'error'>): ReportFrame {
  return (frame) => {
    if (frame.type === 'step') callSafely(logger, 'onStep', () => onStep?.(frame.data));
    if (frame.type === 'text') callSafely(logger, 'onText', () => onText?.(frame.data.chunk));
  };
}

/** Reports a run that never had a session: one update (S0.A4) and a result without turns. */
export function failWithoutSession(report: ReportFrame, answer: string): AgentLoopResult {
  report({ type: 'step', data: { step: 0, status: 'error', text: answer } });
  return {
    status: 'error',
    answer,
    steps: 0,
    usage: { inputTokens: 0, outputTokens: 0, apiCalls: 0 },
    turns: [],
  };
}

/** The steps of the session of a loop: its one task may take as long as the session. */
export function loopSteps({ task, url, context, maxSteps }: AgentLoopParams, config: StartConfig) {
  const timeoutMs = config.timeouts?.workflowTimeoutMs ?? DEFAULT_TIMEOUT_CONFIG.workflowTimeoutMs;
  return [{ task, url, context, maxSteps, timeoutMs }];
}
