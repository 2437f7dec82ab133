/** A model of the profile small: it judges a step by yes or no, in a short call of its own, and makes one decision at a time. */
import { createLanguageModel } from '../../../activities/engine/models/resolve-model';
import { createPromptedModel } from '../../../activities/engine/models/prompted-model';
import type { PageNode } from '../../../contracts/browsers/page-snapshot';
import type { CallListener, DecisionRequest, PastCommand } from '../../../contracts/model-port/port';
import { aCommand, aReply } from '../../support/builders';
import { startOwnServer, streamChat, type OwnServer } from '../../support/model-server/own-server';

const MODEL = 'ai:openai-compatible/qwen3';
const clicked: PastCommand = { action: 'CLICK_ELEMENT', parameters: { selector: 'ref=e7' }, status: 'done' };
const past = (outcome: PastCommand): DecisionRequest['pastIterations'] => {
  const { decision, reasoning, commands } = aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e7' })] });
  return [{ decision, reasoning, commands, outcomes: [outcome] } as DecisionRequest['pastIterations'][number]];
};
const request: DecisionRequest = {
  instruction: 'Put the tent into the cart',
  stepIndex: 0,
  iteration: 1,
  maxIterations: 8,
  mayAct: true,
  snapshot: {
    snapshotId: 'look-1',
    url: 'https://shop.test/',
    title: 'Tents',
    tabs: [],
    nodes: [
      { role: 'button', name: 'Add to cart', ref: 'e7' },
      { role: 'status', text: 'One tent is in the cart' },
    ],
  },
  variables: [],
  pastIterations: past(clicked),
  nextStep: { stepIndex: 1, instruction: 'Pay' },
};
const listener: CallListener = {
  started: () => Promise.resolve(),
  delta: () => {},
  discarded: () => Promise.resolve(),
  ended: () => Promise.resolve(),
};
const AGAIN = JSON.stringify(aReply({ commands: [aCommand('CLICK_ELEMENT', { selector: 'ref=e7' })] }));

let said: string;
let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer({
    chat: ({ messages }, response) =>
      streamChat(response, { content: JSON.stringify(messages).includes('You judge') ? said : AGAIN }),
  });
});
afterAll(() => server.stop());

async function decide(verdict: string, more: Partial<DecisionRequest> = {}, profile: 'full' | 'small' = 'small') {
  said = verdict;
  server.chats.length = 0;
  const language = createLanguageModel(MODEL, { OPENAI_COMPATIBLE_BASE_URL: server.url });
  const { reply } = await createPromptedModel(language, 'json', profile).decide(
    { ...request, ...more },
    {
      signal: new AbortController().signal,
      ai: { connectionId: 'default', model: MODEL, temperature: 0.1, maxTokens: 4000, timeoutMs: 20_000 },
      validationMode: 'strict',
      nonce: 'a1b2c3d4e5f6',
      listener,
    },
  );
  return { reply, asked: server.chats.map(({ messages }) => JSON.stringify(messages)) };
}

const verdict = (problem: string, evidence: string, done: unknown): string =>
  JSON.stringify({ problem, evidence, done });

test('a step is done by one short call, where the evidence stands on the page word for word', async () => {
  const { reply, asked } = await decide(`Sure: ${verdict('', 'One tent is in the cart', 'true')}`);
  expect(reply).toMatchObject({ decision: { action: 'PROCEED' }, commands: [] });
  expect(asked).toHaveLength(1);
  // About 420 tokens with page and attempts.
  expect(asked[0]!.length).toBeLessThan(420 * 4);
});

test('what a status says since the last command stands for evidence in words of its own', async () => {
  const asked = verdict('', 'The tent was put there, as asked.', true);
  const [button, status] = request.snapshot.nodes as [PageNode, PageNode];
  const nodes = [button, { ...status, since: 'changed' as const }];
  const { reply } = await decide(asked, { snapshot: { ...request.snapshot, nodes } });
  expect(reply).toMatchObject({
    decision: { action: 'PROCEED', message: 'The page shows “One tent is in the cart”.' },
  });
});

test.each<[what: string, verdict: string, added: string]>([
  [
    'that is not done',
    verdict('The cart is empty.', '', false),
    'You have judged that it is not done: The cart is empty.\\n',
  ],
  [
    'with a problem',
    verdict('Sold out', 'One tent is in the cart', true),
    'You have judged that it is not done: Sold out\\n',
  ],
  ['that can not be read', 'It seems fine to me.', '# What was done'],
])('a verdict %s is followed by a decision on this step alone', async (_, given, added) => {
  const { reply, asked } = await decide(given);
  expect(reply).toMatchObject({ commands: [{ action: 'CLICK_ELEMENT' }] });
  expect(asked).toHaveLength(2);
  expect(asked[1]).toContain(added);
  expect(asked[1]).not.toContain('Next step');
});

test('a deed that was done is not done again where the evidence for it stands on no page', async () => {
  const { reply, asked } = await decide(verdict('', 'Two tents are in the cart', true));
  expect(asked[1]).toContain('no words of the page were quoted');
  expect(reply).toMatchObject({ decision: { action: 'ABORT' }, commands: [] });
});

test('nothing is judged apart where nothing was done, where something failed, and with a full model', async () => {
  const done = verdict('', 'One tent is in the cart', true);
  const failed = past({ ...clicked, status: 'failed', error: { code: 'EX002', message: 'It is covered.' } });
  for (const [pastIterations, profile, asked] of [
    [[], 'small', 'You say what is done next'],
    [failed, 'small', 'You say what is done next'],
    [request.pastIterations, 'full', '# Commands'],
  ] as const)
    expect((await decide(done, { pastIterations: [...pastIterations] }, profile)).asked).toEqual([
      expect.stringContaining(asked),
    ]);
});

test('a small model is given room for a short answer, and a full one what the session allows', async () => {
  const roomOf = async (profile: 'full' | 'small') => {
    await decide(verdict('', '', false), { pastIterations: [] }, profile);
    return server.chats.map((chat) => chat.max_tokens);
  };
  expect(await roomOf('small')).toEqual([800]);
  expect(await roomOf('full')).toEqual([4000]);
});
