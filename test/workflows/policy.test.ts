import { DecisionAction } from '../../contracts/ai-response';
import { DEFAULT_TIMEOUT_CONFIG } from '../../contracts/timeouts';
import { retryDelayMs } from '../../workflows/attempts';
import { afterReply, isStepDone, type Verdict } from '../../workflows/policy';

const { PROCEED, RETRY, ABORT } = DecisionAction;

function aVerdict(decision: DecisionAction, commandCount: number, confidence = 0.9): Verdict {
  return { decision, message: 'why', confidence, commandCount };
}

test.each<[decision: DecisionAction, commandCount: number, mayAct: boolean, kind: string]>([
  [PROCEED, 0, true, 'completed'],
  [PROCEED, 0, false, 'completed'],
  [PROCEED, 2, true, 'act'],
  [PROCEED, 2, false, 'failed'],
  [RETRY, 1, true, 'act'],
  [RETRY, 1, false, 'failed'],
  [ABORT, 0, true, 'failed'],
  [ABORT, 0, false, 'failed'],
])('[S1.A31] %s with %i commands, where acting is allowed: %s, means %s', (decision, commandCount, mayAct, kind) => {
  const next = afterReply(aVerdict(decision, commandCount), mayAct);
  const { code, message } = { code: undefined, message: 'why', ...next };
  expect(next.kind).toBe(kind);
  expect(code).toBe(kind === 'failed' ? 'TL004' : undefined);
  expect(message).toContain('why');
});

test.each<[decision: DecisionAction, confidence: number, hasEverySucceeded: boolean, isDone: boolean]>([
  [PROCEED, 0.7, true, true],
  [PROCEED, 1, true, true],
  [PROCEED, 0.69, true, false],
  [PROCEED, 1, false, false],
  [RETRY, 1, true, false],
])('%s at confidence %d, every command well: %s, ends the step: %s', (decision, confidence, everySucceeded, isDone) => {
  expect(isStepDone(aVerdict(decision, 1, confidence), everySucceeded)).toBe(isDone);
});

test.each<[exponentialBackoff: boolean, base: number, delays: number[]]>([
  [true, 1000, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  [false, 1000, [1000, 1000, 1000]],
  [false, 60_000, [30_000]],
  [true, 0, [0, 0]],
])('[S1.A13] with backoff %s and a delay of %i ms the retries wait %j', (exponentialBackoff, base, delays) => {
  const timeouts = { ...DEFAULT_TIMEOUT_CONFIG, exponentialBackoff, retryDelayMs: base };
  expect(delays.map((_, index) => retryDelayMs(timeouts, index + 1))).toEqual(delays);
});
