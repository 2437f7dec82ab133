/** What is asked of a model that takes a step as done although a person knows better. */
import { contradicted } from '../../../activities/engine/decide/contradict';
import type { DecisionRequest, PastCommand, PastIteration } from '../../../contracts/model-port/port';
import type { PageNode } from '../../../contracts/browsers/page-snapshot';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { aReply } from '../../support/builders';
import { anObservedCommand } from '../../support/evidence';

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

const LOGIN = { method: 'POST', url: 'https://shop.test/login', status: 401 };
const observed = {
  ...anObservedCommand({ urlBefore: 'https://shop.test/', urlAfter: 'https://shop.test/', requests: [LOGIN] }),
};
const refused: PastCommand = { ...CLICK, status: 'done', evidence: observed };
const clicked: PastCommand = {
  ...CLICK,
  status: 'done',
  evidence: anObservedCommand({ urlBefore: 'https://shop.test/', urlAfter: 'https://shop.test/' }),
};
const typed: PastCommand = { action: 'INPUT_TEXT', parameters: { selector: 'ref=e2', text: 'ada' }, status: 'done' };
const failed: PastCommand = { ...CLICK, status: 'failed', error: { code: 'EX002', message: 'no such button' } };

test.each<[string, string, PastCommand[], RegExp]>([
  ['the server refused, though a field was filled in since', 'Sign in as ada', [refused, typed], /answered with 401/],
  ['failed, and nothing was done in its place', 'Sign in as ada', [typed, failed], /failed \(no such button\)/],
  ['was skipped', 'Sign in as ada', [typed, { ...CLICK, status: 'skipped' }], /was skipped/],
  [
    'was never made, though the step says to click',
    'Type "ada" into Name and click "Save"',
    [typed],
    /nothing was clicked/,
  ],
  ['was never made at all', 'Sign in as ada', [], /Nothing was done/],
])('a command that %s is shown to a model that takes the step as done', (_, instruction, outcomes, evidence) => {
  const request = { ...aRequest(outcomes.map((each) => after(each))), instruction };
  const first = contradicted(DONE, request);
  expect(first.decision).toMatchObject({ action: 'PROCEED', resultValidation: { success: false } });
  expect(first.context).toEqual({ contradiction: expect.stringMatching(evidence) });
  const again = { ...after(), ...first, outcomes: [] };
  const second = contradicted(DONE, { ...request, pastIterations: [...request.pastIterations, again] });
  expect(second.decision).toMatchObject({ action: 'ABORT', message: expect.stringMatching(evidence) });
});

test('without reflection a step that is not done is looked at again, because PROCEED would complete it', () => {
  const reply = contradicted(DONE, { ...aRequest([]), instruction: 'Sign in as ada' }, { isReflecting: false });
  expect(reply).toMatchObject({ decision: { action: 'RETRY' }, commands: [{ action: 'GET_DOM' }] });
});

test.each<[string, string, PastCommand[]]>([
  ['a condition may be why nothing was done', 'If a banner shows, click "Accept"', []],
  ['the step only looks, for what a condition asks for', 'If it is late, expect "Welcome"', []],
  [
    'another way was set aside for a person, who says that the first way happened',
    'Sign in as ada',
    [
      { ...CLICK, status: 'unknown', resolution: { by: 'person', happened: true } },
      { action: 'PRESS_KEY', parameters: { key: 'Enter' }, status: 'skipped' },
    ],
  ],
  ['what was skipped was done before', 'Sign in as ada', [clicked, { ...clicked, status: 'skipped', isRepeat: true }]],
])('a step is done where %s', (_, instruction, outcomes) => {
  expect(contradicted(DONE, { ...aRequest(outcomes.map((each) => after(each))), instruction })).toBe(DONE);
});

test('a step that only looks is not done where the page has not the words that it expects', () => {
  const expecting = (text: string, nodes: PageNode[], outcomes: PastCommand[] = []): DecisionRequest => ({
    ...aRequest(outcomes.map((each) => after(each))),
    instruction: `Check that the page shows "${text}"`,
    snapshot: { ...aRequest([]).snapshot, nodes },
  });
  const delayed: PageNode[] = [
    { role: 'term', text: 'State', ref: 'e1' },
    { role: 'definition', text: 'Delayed', ref: 'e2' },
  ];
  const { decision } = contradicted(DONE, expecting('Delivered', delayed));
  expect(decision.resultValidation).toMatchObject({ actualState: 'The page does not show “Delivered”.' });
  expect(contradicted(DONE, expecting('Delayed', delayed))).toBe(DONE);
  expect(contradicted(DONE, expecting('State Delayed', delayed))).toBe(DONE);
  const looked: PastCommand = { action: 'EXPECT', parameters: { text: 'Delivered' }, status: 'done' };
  expect(contradicted(DONE, expecting('Delivered', delayed, [looked]))).toBe(DONE);
});

test('a step without a deed is done where the model quotes what the page shows, not where it invents it', () => {
  const shows = (instruction: string, text: string): DecisionRequest => ({
    ...aRequest([]),
    instruction,
    snapshot: { ...aRequest([]).snapshot, nodes: [{ role: 'status', text, ref: 'e1' }] },
  });
  const quoting = AIResponseSchema.parse(aReply({ message: 'The page says “You are signed in”.' }));
  expect(contradicted(quoting, shows('Be signed in as ada', 'You are signed in as ada'))).toBe(quoting);
  expect(contradicted(quoting, shows('Be signed in as ada', 'Sign in')).context).toHaveProperty('contradiction');
});
