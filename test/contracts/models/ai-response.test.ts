import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { aCommand, aReply } from '../../support/builders';

test('[S1.A31] PROCEED may or may not carry commands', () => {
  for (const commands of [[], [aCommand()]]) {
    const parsed = AIResponseSchema.safeParse(aReply({ decision: 'PROCEED', commands }));
    expect(parsed).toMatchObject({ success: true, data: { commands } });
  }
});

test('[S1.A9] a command without a priority gets its place in the array as one', () => {
  const commands = [aCommand('GET_DOM', {}), { ...aCommand('GO_BACK', {}), priority: 7 }, aCommand('GET_DOM', {})];
  expect(AIResponseSchema.parse(aReply({ commands })).commands.map(({ priority }) => priority)).toEqual([1, 7, 3]);
});

test('[S1.A31] RETRY without a corrective command is refused at its commands', () => {
  const parsed = AIResponseSchema.safeParse(aReply({ decision: 'RETRY', commands: [] }));
  expect(parsed.error?.issues).toMatchObject([{ path: ['commands'], message: expect.stringContaining('corrective') }]);
  expect(AIResponseSchema.safeParse(aReply({ decision: 'RETRY', commands: [aCommand()] })).success).toBe(true);
});

test('[S1.A31] commands of an ABORT are dropped', () => {
  expect(AIResponseSchema.parse(aReply({ decision: 'ABORT', commands: [aCommand()] })).commands).toEqual([]);
});

test('[S1.R10] a reply may hold several commands, in their order', () => {
  const commands = [
    { ...aCommand('GET_DOM', {}), priority: 9 },
    { ...aCommand('GO_BACK', {}), priority: 1 },
  ];
  expect(AIResponseSchema.parse(aReply({ commands })).commands).toEqual(commands);
});

test.each<[what: string, change: Record<string, unknown>]>([
  ['an unknown verdict', { decision: { action: 'CONTINUE', message: '' } }],
  ['a confidence over 1', { reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1.1 } }],
  ['no reasoning', { reasoning: undefined }],
  ['no commands', { commands: undefined }],
  ['an unknown action', { commands: [{ action: 'HOVER_OVER', parameters: {} }] }],
  ['an unknown parameter', { commands: [{ action: 'GET_DOM', parameters: { css: 'a' } }] }],
  ['a field that is not in S1.19', { verdict: 'fine' }],
])('S1.19: %s is refused', (_, change) => {
  expect(AIResponseSchema.safeParse({ ...aReply({}), ...change }).success).toBe(false);
});

test('S1.21: what the model makes of the action before comes through', () => {
  const resultValidation = {
    success: false,
    expectedElements: ['Cart'],
    actualState: 'an error page',
    issues: ['500'],
  };
  const decision = { action: 'PROCEED', message: 'm', resultValidation };
  expect(AIResponseSchema.parse({ ...aReply({}), decision }).decision.resultValidation).toEqual(resultValidation);
});
