/**
 * The program that talks to an agent is killed with SIGKILL: while an answer streams, while one of its tools runs, while
 * somebody is asked about a call. Another process goes on: no word is shown twice, no tool runs twice unseen.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Agent } from '../../client/agent/agent';
import { AgentEventType, type AgentEvent } from '../../contracts/agents/agent-event';
import type { PendingQuestion } from '../../contracts/approvals/approval';
import { logOrderProblems } from '../../bench/log-checks/log-order';
import { isOpen } from '../../contracts/sessions/session';
import { ToolConfirmationOutcome } from '../../contracts/approvals/confirmation-outcome';
import { calls, plays, says, startAgentStack, STREAMING_MODEL, type AgentStack } from '../support/agent-stack';
import { eventually } from '../support/eventually';
import { geminiChunks, geminiLine, SSE_HEADERS } from '../support/model-server/gemini';
import type { Play } from '../support/model-server/server';
import { decide, untilHeard } from '../support/until-taken';

const E = AgentEventType;
const PROGRAM = join(__dirname, '..', 'support', 'agent-program.js');

let stack: AgentStack;
const folder = mkdtempSync(join(tmpdir(), 'surefoot-agent-'));
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  stack = await startAgentStack();
}, 240_000);
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

interface Shown {
  /** The place in the log to go on from. */
  cursor: number;
  /** Absent at the end of what the program was to do. */
  event?: AgentEvent;
}

interface Program {
  pid: number;
  shown: Shown[];
  events(): AgentEvent[];
  /** Resolves when it has shown this. */
  sees(what: string, fits: (event: AgentEvent) => boolean): Promise<AgentEvent>;
  /** Resolves when it has come to the end of so many things that it was to do. */
  through(count: number): Promise<void>;
  answer(decision: object): void;
  /** SIGKILL; resolves when all that it had shown is read. */
  kill(): Promise<void>;
}

type Doing = { name: string; say: string } | { name: string; after: number };

function start(doing: Doing[], env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(doing)], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporalAddress,
      SUREFOOT_HOME: stack.home,
      MODEL: STREAMING_MODEL,
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const shown: Shown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => shown.push(JSON.parse(line) as Shown));
  const closed = once(child, 'close');
  const events = () => shown.flatMap(({ event }) => event ?? []);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  ends.push(kill);
  return {
    pid: child.pid!,
    shown,
    events,
    sees: (what, fits) => eventually(what, () => events().find(fits), 60_000),
    through: async (count) =>
      void (await eventually(
        'its end',
        () => shown.filter(({ event }) => event === undefined).length === count,
        60_000,
      )),
    answer: (decision) => void child.stdin.write(`${JSON.stringify(decision)}\n`),
    kill,
  };
}

const is = (type: AgentEventType) => (event: AgentEvent) => event.type === type;
const textOf = (events: readonly AgentEvent[]) =>
  events
    .filter(is(E.ResponseChunkTextDelta))
    .map(({ data }) => (data as { content: { text_delta: string } }).content.text_delta)
    .join('');
const ended = (events: readonly AgentEvent[]) =>
  events.filter(is(E.ToolExecutionDone)).map(({ data }) => data as { result?: string; error?: string });

/** Everything that the conversation publishes, to a third reader. */
async function whole(name: string): Promise<unknown> {
  const agent = new Agent({ connection: stack.connection, config: { model: STREAMING_MODEL, workingDirectory: '/' } });
  const events: AgentEvent[] = [];
  for await (const event of agent.attach(name, new AbortController().signal)) events.push(event);
  await agent.close({ keep: true });
  return JSON.parse(JSON.stringify(events));
}

/** A notebook of one test, with what lets the tool of its programs come to its end. */
function notebook() {
  const file = join(folder, randomUUID());
  const go = `${file}.go`;
  return {
    env: { LINES_FILE: file, GO_FILE: go },
    lines: () => (existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []),
    letGo: () => writeFileSync(go, ''),
  };
}

async function question(): Promise<Extract<PendingQuestion, { kind: 'approval' }>> {
  return await eventually('a question', async () => {
    const [asked] = await stack.client.approvals();
    return asked?.kind === 'approval' ? asked : undefined;
  });
}

async function answerOverHttp(approvalId: string, decision: object): Promise<void> {
  const answer = await fetch(`${stack.api}/v1/approvals/${approvalId}/decision`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(decision),
  });
  expect(answer.status).toBe(202);
}

/** Streams a word every now and then, for as long as it is let. */
function talks(): { play: Play; words: string[]; stop(): void } {
  const words: string[] = [];
  let isOver = false;
  const play: Play = async (response) => {
    response.writeHead(200, SSE_HEADERS);
    while (!isOver) {
      const text = `word${words.length} `;
      words.push(text);
      response.write(geminiLine({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    response.end(geminiLine(geminiChunks({}).at(-1)!));
  };
  return { play, words, stop: () => void (isOver = true) };
}

test('a process that dies while an answer streams is followed by another: every token comes once', async () => {
  const { play, words, stop } = talks();
  stack.model.play(play, ...plays(says('Still here.')));
  const name = randomUUID();
  const { env } = notebook();
  const first = start([{ name, say: 'Count.' }], env);
  await eventually('some words are shown', () => textOf(first.events()).split(' ').length > 5);
  await first.kill();
  const after = first.shown.at(-1)!.cursor;
  const heard = words.length;
  await eventually('the answer goes on while nobody listens', () => words.length > heard + 10);
  const second = start(
    [
      { name, after },
      { name, say: 'Go on.' },
    ],
    env,
  );
  const attached = await eventually('words are shown again', () => textOf(second.events()).length);
  await eventually('they come live', () => textOf(second.events()).length > attached);
  stop();
  await second.through(2);
  const [before, since] = [first.events(), second.events()];
  expect(textOf([...before, ...since])).toBe(`${words.join('')}Still here.`);
  expect(since.filter(is(E.TurnComplete))).toHaveLength(2);
  expect(since.at(-1)!.type).toBe(E.TurnComplete);
  expect([...before, ...since]).toEqual(await whole(name));
}, 180_000);

test('a tool that had begun when its process died is not run again: its outcome is unknown', async () => {
  stack.model.play(
    ...plays(calls(['add_line', { content: 'one' }]), calls(['add_line', { content: 'two' }]), says('Well.')),
  );
  const name = randomUUID();
  const { env, lines, letGo } = notebook();
  const first = start([{ name, say: 'Add a line.' }], env);
  await eventually('the tool runs', () => lines().length === 1, 60_000);
  await first.kill();
  letGo();
  const second = start([{ name, after: first.shown.at(-1)!.cursor }], env);
  const asked = await question();
  expect(asked).toMatchObject({ args: { content: 'two' }, card: { prompt: expect.stringContaining('nobody knows') } });
  expect(JSON.stringify(stack.model.heard.at(-1)!.body)).toContain('whether this took effect is unknown');
  expect(lines()).toEqual(['one']);
  await second.sees('the question', is(E.ToolConfirmation));
  await decide(stack, asked, { outcome: ToolConfirmationOutcome.ProceedOnce });
  await second.through(1);
  expect(lines()).toEqual(['one', 'two']);
  const [unknown, done] = ended(second.events());
  expect(unknown!.error).toContain('unknown');
  expect(done!.result).toContain('added two');
  expect(textOf(second.events())).toContain('Well.');
  expect([...first.events(), ...second.events()]).toEqual(await whole(name));
  await untilHeard(
    'the end of the conversation',
    () => stack.client.close(asked.sessionId),
    async () => !isOpen((await stack.client.get(asked.sessionId)).session.status),
  );
  expect(logOrderProblems(await stack.logOf(asked.sessionId))).toEqual([]);
}, 180_000);

test('a tool that only reads runs once more in the next process', async () => {
  stack.model.play(...plays(calls(['add_line', { content: 'one' }]), says('Well.')));
  const name = randomUUID();
  const { env: base, lines, letGo } = notebook();
  const env = { ...base, TOOL_MODE: 'read' };
  const first = start([{ name, say: 'Read.' }], env);
  await eventually('the tool runs', () => lines().length === 1, 60_000);
  await first.kill();
  letGo();
  const second = start([{ name, after: first.shown.at(-1)!.cursor }], env);
  await second.through(1);
  expect(lines()).toEqual(['one', 'one']);
  expect(ended(second.events())).toMatchObject([{ result: expect.stringContaining(`added one in ${second.pid}`) }]);
  expect(textOf(second.events())).toContain('Well.');
}, 180_000);

test('a question about a tool outlives its process: edited over HTTP, it runs once in the next', async () => {
  stack.model.play(...plays(calls(['add_line', { content: 'draft' }]), says('Done.')));
  const name = randomUUID();
  const { env: base, lines, letGo } = notebook();
  const env = { ...base, APPROVAL_MODE: 'always' };
  letGo();
  const first = start([{ name, say: 'Add a line.' }], env);
  await first.sees('the question', is(E.ToolConfirmation));
  await first.kill();
  const { approvalId, args } = await question();
  expect(args).toEqual({ content: 'draft' });
  const second = start([{ name, after: first.shown.at(-1)!.cursor }], env);
  const decision = { outcome: ToolConfirmationOutcome.ModifyWithEditor, args: { content: 'final' } };
  await answerOverHttp(approvalId, decision);
  await second.through(1);
  expect(lines()).toEqual(['final']);
  expect(ended(second.events())).toMatchObject([{ result: expect.stringContaining(`added final in ${second.pid}`) }]);
  expect([...first.events(), ...second.events()]).toEqual(await whole(name));
}, 180_000);

test('what a tool asks outlives its process and the engine worker, and the tool runs once', async () => {
  stack.model.play(...plays(calls(['add_line', { content: 'draft' }]), says('Done.')));
  const name = randomUUID();
  const { env: base, lines, letGo } = notebook();
  const env = { ...base, TOOL_MODE: 'confirm' };
  letGo();
  const first = start([{ name, say: 'Add a line.' }], env);
  await first.sees('the question', is(E.ToolConfirmation));
  const asked = await question();
  expect(asked.card).toMatchObject({ type: 'edit', title: 'Add this line?', fileDiff: '+draft' });
  await first.kill();
  process.kill(stack.pidOf('engine-1'), 'SIGKILL');
  // The process that asked is away, and so is every worker: the answer is a message like any other.
  const decision = { outcome: ToolConfirmationOutcome.ModifyWithEditor, newContent: 'final' };
  await answerOverHttp(asked.approvalId, decision);
  expect(lines()).toEqual([]);
  const second = start([{ name, after: first.shown.at(-1)!.cursor }], env);
  await second.through(1);
  expect(lines()).toEqual(['final']);
  expect(second.events().filter(is(E.ToolConfirmation))).toEqual([]);
  expect(ended(second.events())).toMatchObject([{ result: expect.stringContaining(`added final in ${second.pid}`) }]);
  expect([...first.events(), ...second.events()]).toEqual(await whole(name));
}, 180_000);
