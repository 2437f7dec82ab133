import { anInterruptedCommand, anObservedCommand } from '../../../../support/evidence';
import type { PastCommand, PastIteration } from '../../../../../contracts/model-port/port';
import { actionState } from '../../../../../rules/planning/progress';
import { DecisionAction } from '../../../../../contracts/models/ai-response';
import type { StepAction } from '../../../../../contracts/commands/commands';

function aRound(action: StepAction, outcome: Partial<PastCommand>): PastIteration {
  return {
    decision: { action: DecisionAction.PROCEED, message: 'go' },
    reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
    commands: [{ action, parameters: {} }],
    context: { plan: [0] },
    outcomes: [{ action, parameters: {}, status: 'done', ...outcome }],
  };
}
const evidence = anObservedCommand({ lostWith: 'browser' });
const interrupted = { evidence: anInterruptedCommand() };
const said = (happened: boolean) => ({ status: 'unknown', resolution: { by: 'person', happened } }) as const;

test('what was under way in a browser that was lost is open again, without counting as a failure', () => {
  const open = { kind: 'open', failures: 0, hasWaited: false };
  expect(actionState(0, [aRound('INPUT_TEXT', { evidence })])).toEqual(open);
  expect(actionState(0, [aRound('INPUT_TEXT', { ...interrupted, status: 'failed' })])).toEqual(open);
  expect(actionState(0, [aRound('INPUT_TEXT', { evidence }), aRound('INPUT_TEXT', {})])).toEqual({ kind: 'done' });
});

test('a click in a browser that was lost is done or unknown, and never open again', () => {
  expect(actionState(0, [aRound('CLICK_ELEMENT', { evidence })])).toEqual({ kind: 'done' });
  expect(actionState(0, [aRound('CLICK_ELEMENT', { ...interrupted, status: 'unknown' })])).toMatchObject({
    kind: 'unknown',
  });
});

test('a click that a person says happened is done, one that did not is open again', () => {
  expect(actionState(0, [aRound('CLICK_ELEMENT', said(true))])).toEqual({ kind: 'done' });
  expect(actionState(0, [aRound('CLICK_ELEMENT', said(false))])).toEqual({
    kind: 'open',
    failures: 0,
    hasWaited: false,
  });
  expect(actionState(0, [aRound('CLICK_ELEMENT', said(false)), aRound('CLICK_ELEMENT', {})])).toEqual({ kind: 'done' });
});
