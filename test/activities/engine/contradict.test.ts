/** What is asked of a model that takes a step as done although a person knows better. */
import { contradicted } from '../../../activities/engine/decide/contradict';
import type { DecisionRequest, PastCommand, PastIteration } from '../../../contracts/model-port/port';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { aReply } from '../../support/builders';

const DONE = AIResponseSchema.parse(aReply({}));
const CLICK: PastCommand = { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e1' }, status: 'unknown' };
const denied: PastCommand = { ...CLICK, resolution: { by: 'person', happened: false } };

function after(...outcomes: PastCommand[]): PastIteration {
  const { decision, reasoning, commands } = DONE;
  return { decision, reasoning, commands, outcomes };
}

function aRequest(past: PastIteration[], mayAct = true): DecisionRequest {
  return {
    instruction: 'Press "Add one"',
    stepIndex: 0,
    iteration: past.length,
    maxIterations: 5,
    mayAct,
    pastIterations: past,
    snapshot: { snapshotId: 's1', url: 'https://shop.test/', title: 'Shop', tabs: [], nodes: [] },
    variables: [],
  };
}

test('a step whose command did not happen, as a person says, is not done: the model is asked once more', () => {
  const reply = contradicted(DONE, aRequest([after(denied)]));
  expect(reply.decision).toMatchObject({
    action: 'PROCEED',
    resultValidation: {
      success: false,
      actualState: 'A person has checked that CLICK_ELEMENT did not happen, and nothing was done in its place.',
    },
  });
});

test('a model that insists on what a person has denied fails the step', () => {
  const { context, ...asked } = contradicted(DONE, aRequest([after(denied)]));
  const again = { ...after(), ...asked, outcomes: [], context };
  expect(contradicted(DONE, aRequest([after(denied), again])).decision).toMatchObject({
    action: 'ABORT',
    message: expect.stringContaining('did not happen'),
  });
  expect(contradicted(DONE, aRequest([after(denied)], false)).decision.action).toBe('ABORT');
});

test.each<[string, PastCommand[]]>([
  ['it was done since', [denied, { ...CLICK, status: 'done' }]],
  ['another way of doing it happened', [denied, { ...CLICK, resolution: { by: 'person', happened: true } }]],
  ['it did happen', [{ ...CLICK, resolution: { by: 'person', happened: true } }]],
])('a step is done where %s', (_, outcomes) => {
  expect(contradicted(DONE, aRequest([after(...outcomes)]))).toBe(DONE);
});

test('filling a field in its place is not what a person said did not happen', () => {
  const typed: PastCommand = { action: 'INPUT_TEXT', parameters: { selector: 'ref=e2', text: '1' }, status: 'done' };
  expect(contradicted(DONE, aRequest([after(denied, typed)])).decision.resultValidation?.success).toBe(false);
});
