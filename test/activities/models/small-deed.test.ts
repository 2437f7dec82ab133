/** What a model of the profile small says is done next, in flat words, and what is made of it. */
import { createLanguageModel } from '../../../activities/engine/models/resolve-model';
import { createPromptedModel } from '../../../activities/engine/models/prompted-model';
import { deedPrompt } from '../../../activities/engine/models/prompts/next-deed';
import type { CallListener, DecisionRequest } from '../../../contracts/model-port/port';
import { AIResponseSchema } from '../../../contracts/models/ai-response';
import { aCommand, aReply } from '../../support/builders';
import { o200k } from '../../../bench/characters/tokenizer';
import { control, requestOn, type Node } from '../../support/rules-on-page';
import { startOwnServer, streamChat, type OwnServer } from '../../support/model-server/own-server';

const MODEL = 'ai:openai-compatible/qwen3';
const row = (name: string, ref: string): Node =>
  ({ role: 'row', name, children: [{ role: 'cell', text: name }, control('button', 'Close', ref)] }) as Node;
const PAGE: Node[] = [
  control('textbox', 'Nickname', 'nick'),
  control('combobox', 'Country', 'country', { children: [{ role: 'option', name: 'Norway' } as Node] }),
  control('checkbox', 'Coffee', 'coffee'),
  control('radio', 'In rows', 'rows'),
  control('button', 'Send the invoice again', 'invoice'),
  { role: 'table', name: 'Tickets', children: [row('T-101 Toner', 'c1'), row('T-103 Door', 'c3')] } as Node,
  { role: 'text', text: 'Carrier: North Post', ref: 'carrier' } as Node,
];
const listener: CallListener = {
  started: () => Promise.resolve(),
  delta: () => {},
  discarded: () => Promise.resolve(),
  ended: () => Promise.resolve(),
};

let answers: string[];
let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer({
    chat: (_, response) => streamChat(response, { content: answers[server.chats.length - 1] ?? answers.at(-1)! }),
  });
});
afterAll(() => server.stop());

/** @param said its answers, in their order; objects as JSON */
const decide = (instruction: string, ...said: (string | object)[]) => decideAfter([], instruction, ...said);

async function decideAfter(
  pastIterations: DecisionRequest['pastIterations'],
  instruction: string,
  ...said: (string | object)[]
) {
  answers = said.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  server.chats.length = 0;
  const language = createLanguageModel(MODEL, { OPENAI_COMPATIBLE_BASE_URL: server.url });
  const request: DecisionRequest = { ...requestOn(PAGE, instruction, 'Desk'), pastIterations };
  const { reply } = await createPromptedModel(language, 'json', 'small').decide(request, {
    signal: new AbortController().signal,
    ai: { connectionId: 'default', model: MODEL, temperature: 0.1, maxTokens: 4000, timeoutMs: 20_000 },
    validationMode: 'strict',
    nonce: 'a1b2c3d4e5f6',
    listener,
  });
  return { reply, asked: server.chats.map(({ messages }) => JSON.stringify(messages)) };
}

test.each([
  ['Type "Ada" into Nickname', { action: 'type', ref: 'nick', text: 'Ada' }, 'INPUT_TEXT', { text: 'Ada' }],
  [
    'Choose "Norway" in Country',
    { action: 'choose', ref: 'country', text: 'Norway' },
    'SELECT_OPTION',
    { option: 'Norway' },
  ],
  ['Choose In rows', { action: 'choose', ref: 'rows' }, 'SET_CHECKED', { checked: true }],
  ['Check Coffee', { action: 'Tick', ref: 'ref=coffee' }, 'SET_CHECKED', { checked: true }],
  ['I need my invoice once more', { action: 'choose', ref: 'invoice' }, 'CLICK_ELEMENT', {}],
  [
    'Save the Carrier as post',
    { action: 'save', ref: 'carrier', text: 'post' },
    'SAVE_VARIABLE',
    { variableName: 'post' },
  ],
  ['Close T-103', { action: 'click', ref: 'c3' }, 'CLICK_ELEMENT', {}],
])('%s', async (instruction, said, action, parameters) => {
  const { reply, asked } = await decide(instruction, `Sure: ${JSON.stringify(said)}`);
  const selector = `ref=${said.ref.replace('ref=', '')}`;
  expect(reply).toMatchObject({
    decision: { action: 'RETRY' },
    commands: [{ action, parameters: { ...parameters, selector } }],
  });
  expect(asked).toHaveLength(1);
});

test('what is done is said with the words of the page, and what can not be done with a reason', async () => {
  expect(
    (await decide('Check that the carrier is North Post', { action: 'done', text: 'North Post' })).reply,
  ).toMatchObject({
    decision: { action: 'PROCEED', message: '“North Post”' },
    commands: [],
  });
  expect((await decide('Click "Return the order"', { action: 'cannot', text: 'There is none' })).reply).toMatchObject({
    decision: { action: 'ABORT', message: 'There is none' },
  });
});

test('the button of another row is asked about once more, and then refused', async () => {
  const other = { action: 'click', ref: 'c1' };
  const corrected = await decide('Click "Close" in the row of T-103', other, { action: 'click', ref: 'c3' });
  expect(corrected.reply).toMatchObject({ commands: [{ parameters: { selector: 'ref=c3' } }] });
  expect(corrected.asked[1]).toContain('It leaves out: T-103.');
  const { reply, asked } = await decide('Click "Close" in the row of T-110', other);
  expect(reply).toMatchObject({
    decision: { action: 'ABORT', message: expect.stringContaining('110') },
    commands: [],
  });
  expect(asked).toHaveLength(2);
});

test('what was done just now is not done again for lack of words to quote, and is after a problem', async () => {
  const click = aCommand('CLICK_ELEMENT', { selector: 'ref=invoice' });
  const { decision, reasoning } = AIResponseSchema.parse(aReply({}));
  const outcomes = [{ ...click, status: 'done' as const }];
  const past = [{ turn: 0, decision, reasoning, commands: [click], outcomes }] as DecisionRequest['pastIterations'];
  const again = { action: 'click', ref: 'invoice' };
  const judged = (problem: string) => ({ problem, evidence: 'I clicked it', done: problem === '' });
  const asked = 'Have the invoice sent again';
  expect((await decideAfter(past, asked, judged(''), again)).reply).toMatchObject({
    decision: { action: 'ABORT' },
    commands: [],
  });
  const save = aCommand('SAVE_VARIABLE', { selector: 'ref=carrier', variableName: 'post' });
  const saved = [{ ...past[0]!, commands: [save], outcomes: [{ ...save, status: 'done' as const }] }];
  const same = { action: 'save', ref: 'carrier', text: 'post' };
  expect((await decideAfter(saved, 'Save the Carrier as post', same)).reply).toMatchObject({
    decision: { action: 'PROCEED' },
    commands: [],
  });
  expect((await decideAfter(past, asked, judged('It failed'), again)).reply).toMatchObject({ commands: [click] });
});

test('a deed that lacks its text is asked for once more, and then a whole reply is asked for', async () => {
  const { reply, asked } = await decide(
    'Type "Ada" into Nickname',
    { action: 'type', ref: 'nick' },
    'I would type it.',
    { decision: 'act', commands: [{ action: 'INPUT_TEXT', selector: 'nick', text: 'Ada' }] },
  );
  expect(asked[1]).toContain('text');
  expect(asked[2]).toContain('# Commands');
  expect(reply).toMatchObject({ commands: [{ action: 'INPUT_TEXT', parameters: { text: 'Ada' } }] });
});

test('a step that needs another command is asked for by a whole reply', async () => {
  const whole = { decision: 'cannot', message: 'It can not be dragged.' };
  expect((await decide('Drag T-101 to T-103', whole)).asked[0]).toContain('# Commands');
});

test('a request is below 700 tokens beside the page, and the step stands last', () => {
  const { system, messages, answer } = deedPrompt(requestOn(PAGE, 'Close T-103', 'Desk'), 'a1b2c3d4e5f6', 5000);
  const texts = messages.map((message) =>
    message.role === 'user'
      ? message.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
      : JSON.stringify(message),
  );
  expect(texts.at(-1)).toMatch(/Close T-103$/);
  const beside = [system, ...texts.slice(0, -1), JSON.stringify(answer.parameters)].map(o200k());
  expect(beside.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThan(700);
});
