import { DecisionAction } from '../../../contracts/models/ai-response';
import { afterReply, isToBeJudged, type JudgedReply } from '../../../contracts/steps/after-reply';

const { PROCEED, RETRY, ABORT } = DecisionAction;

function aVerdict(decision: DecisionAction, commandCount: number, confidence = 0.9): JudgedReply {
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

test('[S1.38] a step whose last reply judges nothing fails with TL005, one that judges with TL004', () => {
  const last = (validation: JudgedReply['validation']) => afterReply({ ...aVerdict(RETRY, 1), validation }, false);
  expect(last('missing')).toMatchObject({
    kind: 'failed',
    code: 'TL005',
    message: expect.stringContaining('could not judge'),
  });
  expect(last('passed')).toMatchObject({ kind: 'failed', code: 'TL004' });
  expect(afterReply({ ...aVerdict(RETRY, 1), validation: 'missing' }, true)).toEqual({ kind: 'act' });
});

test.each<[validation: JudgedReply['validation'], confidence: number, isReflecting: boolean, kind: string]>([
  ['passed', 0.7, true, 'completed'],
  ['missing', 1, true, 'completed'],
  ['passed', 0.69, true, 'observe'],
  ['failed', 1, true, 'observe'],
  ['failed', 0.1, false, 'completed'],
])(
  'PROCEED without commands, validation %s at confidence %d, reflecting: %s, means %s',
  (validation, confidence, isReflecting, kind) => {
    expect(afterReply({ ...aVerdict(PROCEED, 0, confidence), validation }, true, isReflecting)).toEqual({ kind });
  },
);

test('only a PROCEED whose commands have all succeeded may have completed the step', () => {
  expect(isToBeJudged(aVerdict(PROCEED, 1), true)).toBe(true);
  expect(isToBeJudged(aVerdict(PROCEED, 1), false)).toBe(false);
  expect(isToBeJudged(aVerdict(RETRY, 1), true)).toBe(false);
});
