/** A task that a model of the profile small leads: one deed at a time in flat words, each a call of the tool that does it. */
import { createLanguageModel } from '../../../activities/engine/models/resolve-model';
import { createPromptedModel } from '../../../activities/engine/models/prompted-model';
import { BROWSER_TOOLS } from '../../../contracts/tools/browser-tools';
import type { CallListener, PastTurn, TurnRequest, TurnResult } from '../../../contracts/model-port/port';
import { o200k } from '../../../bench/characters/tokenizer';
import { control, requestOn, type Node } from '../../support/rules-on-page';
import { startOwnServer, streamChat, type OwnServer } from '../../support/model-server/own-server';

const MODEL = 'ai:openai-compatible/qwen3';
const PAGE: Node[] = [
  control('textbox', 'Recipient', 'e1'),
  control('textbox', 'Amount in EUR', 'e2'),
  control('button', 'Send', 'e3'),
  { role: 'text', text: 'Delivery day: 9 December', ref: 'e4' } as Node,
];
const SENT: Node[] = [...PAGE, { role: 'status', text: 'Sent 40 EUR to Grace', since: 'new' } as Node];
const TASK = 'Type "Grace" into Recipient, then click "Send"';
const tools = Object.keys(BROWSER_TOOLS).map((name) => ({ name, description: '', parameters: {} }));
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

interface Asked {
  task?: string;
  nodes?: Node[];
  turns?: PastTurn[];
  notes?: string[];
  isRead?: boolean;
  doubt?: string;
  contradiction?: string;
}

/** @param said its answers, in their order */
async function turn(given: Asked, ...said: object[]) {
  const { task = TASK, nodes = PAGE, turns = [], notes = [], isRead = false, doubt, contradiction } = given;
  answers = said.map((each) => JSON.stringify(each));
  server.chats.length = 0;
  const language = createLanguageModel(MODEL, { OPENAI_COMPATIBLE_BASE_URL: server.url });
  const { snapshot } = requestOn(nodes, task, 'Bank');
  const led = { goal: task, notes, isRead, turns, nonce: 'a1b2c3d4e5f6' };
  const messages: TurnRequest['messages'] = [{ role: 'user', parts: [{ kind: 'text', text: task }] }];
  const place = { stepIndex: 0, turn: turns.length, maxSteps: 50 };
  const asking = { system: 'You carry out a task.', messages, tools, task, doubt, contradiction };
  const request: TurnRequest = { ...place, ...asking, snapshot, variables: [], pastTurns: [], led };
  const ai = { connectionId: 'default', model: MODEL, temperature: 0.1, maxTokens: 4000, timeoutMs: 20_000 };
  const options = { signal: new AbortController().signal, ai, listener };
  const result = await createPromptedModel(language, 'json', 'small').turn(request, options);
  const calls = result.functionCalls.map(({ name, args }) => [name, JSON.parse(args) as unknown]);
  return { result, calls, asked: server.chats.map(({ messages }) => JSON.stringify(messages)) };
}

const after = ({ raw, functionCalls }: TurnResult, at: number): PastTurn => ({
  turn: at,
  raw,
  calls: functionCalls.map(({ name }) => name),
  outcomes: functionCalls.map(() => ({ status: 'done' as const })),
});
const verdict = { problem: '', evidence: 'Sent 40 EUR to Grace', done: true };
const type = { action: 'type', ref: 'e1', text: 'Grace' };
const click = { action: 'click', ref: 'e3' };

test('each deed is a call of its tool, the next request has what was done, and the page judges the end', async () => {
  const first = await turn({}, type);
  expect(first.calls).toEqual([['form_input', { ref: 'e1', value: 'Grace' }]]);
  const second = await turn({ turns: [after(first.result, 0)] }, click);
  expect(second.calls).toEqual([['computer', { action: 'left_click', ref: 'e3' }]]);
  expect(second.asked).toEqual([expect.stringMatching(/INPUT_TEXT .*Grace.*: done/)]);
  const turns = [after(first.result, 0), after(second.result, 1)];
  const last = await turn({ nodes: SENT, turns }, { action: 'done', text: 'Sent' }, verdict);
  expect(last.calls).toEqual([]);
  expect(last.result).toMatchObject({ isEnd: true, evidence: 'Sent 40 EUR to Grace' });
  expect(last.asked[1]).toContain('You judge');
});

test('an end that the page does not show is asked about once more, and so is one that the engine doubts', async () => {
  const first = await turn({}, type);
  const turns = [after(first.result, 0)];
  const unsent = { problem: 'It was not sent', evidence: '', done: false };
  const again = await turn({ turns }, { action: 'done', text: 'Grace' }, unsent, click);
  expect(again.calls).toEqual([['computer', { action: 'left_click', ref: 'e3' }]]);
  expect(again.asked[2]).toContain('It was not sent');
  const doubted = await turn({ turns, doubt: 'Nothing was pressed.' }, click);
  expect(doubted.calls).toEqual([['computer', { action: 'left_click', ref: 'e3' }]]);
  expect(doubted.asked).toEqual([expect.stringContaining('Nothing was pressed.')]);
});

test('where the page says what was wrong, the same is not done again', async () => {
  const contradiction = 'The page says “Over the limit”.';
  const first = await turn({}, click);
  const turns = [after(first.result, 0)];
  const { result, asked } = await turn({ turns, contradiction }, click);
  expect(asked).toEqual([expect.stringContaining('Over the limit')]);
  expect(result).toMatchObject({ isGivenUp: true, text: contradiction, functionCalls: [] });
  expect((await turn({ turns, contradiction }, type)).calls).toEqual([['form_input', { ref: 'e1', value: 'Grace' }]]);
});

test('a task that the model says in the words of the rules is carried out by them, without another call', async () => {
  const task = 'Type "Grace" into Recipient and click "Send"';
  const said = { step: 'type “Grace” into “Recipient”, then click “Send”' };
  const first = await turn({ task, isRead: true }, said);
  expect(first.calls).toEqual([['form_input', { ref: 'e1', value: 'Grace' }]]);
  const second = await turn({ task, isRead: true, turns: [after(first.result, 0)] }, type);
  expect(second.calls).toEqual([['computer', { action: 'left_click', ref: 'e3' }]]);
  const turns = [after(first.result, 0), after(second.result, 1)];
  const last = await turn({ task, isRead: true, nodes: SENT, turns }, type);
  expect(last.result).toMatchObject({ isEnd: true, functionCalls: [] });
  expect([first, second, last].map(({ asked }) => asked.length)).toEqual([1, 0, 0]);
});

test('a reading that leaves out a name is no reading, and the deeds are asked for', async () => {
  const task = 'Type "Grace" into Recipient and click "Send"';
  const { calls, asked } = await turn({ task, isRead: true }, { step: 'click “Send”' }, { step: 'click “Send”' }, type);
  expect(calls).toEqual([['form_input', { ref: 'e1', value: 'Grace' }]]);
  expect(asked).toHaveLength(3);
});

test('what is saved is a part of the answer, and takes no call of a tool', async () => {
  const save = { action: 'save', ref: 'e4', text: 'day' };
  const { result, calls } = await turn({ task: 'Save the Delivery day as day' }, save, { action: 'done', text: '9' });
  expect(calls).toEqual([]);
  expect(result).toMatchObject({ isEnd: true, text: expect.stringContaining('9 December') });
});

test('what can not be done gives the task up with the reason', async () => {
  const { result } = await turn({ task: 'Click "Delete"' }, { action: 'cannot', text: 'There is no Delete' });
  expect(result).toMatchObject({ isEnd: true, isGivenUp: true, text: 'There is no Delete' });
});

test('what a person says in the middle of a task stands with the task', async () => {
  const { asked } = await turn({ notes: ['The person says: send it to Ada.'] }, type);
  expect(asked[0]).toContain('send it to Ada');
});

test('a task that flat words can not say is led by calls', async () => {
  const { asked } = await turn({ task: 'Upload "a.pdf" to the file field' }, type);
  expect(asked[0]).toContain('You carry out a task.');
});

test('the request for a deed of a task has fewer than 900 tokens beside the page, after eight deeds too', async () => {
  const first = await turn({}, type);
  const turns = Array.from({ length: 8 }, (_, at) => after(first.result, at));
  await turn({ turns }, click);
  const [{ messages }] = server.chats as unknown as [{ messages: { content: string }[] }];
  expect(o200k()(messages.map(({ content }) => content).join('\n'))).toBeLessThan(900);
});
