/**
 * The doors people come in by, on the whole product: REST and SSE (a viewer that disconnects a hundred times misses and
 * repeats nothing), refusals that start nothing, and the command line as a process.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { ENGINE_QUEUE } from '../../contracts/queues';
import { runCli } from '../cli/cli-process';
import { eventually } from '../support/eventually';
import { orderProblems } from '../support/event-order';
import {
  ONE_OF_EACH,
  SHOP_PASSWORD,
  demoWithPictures,
  endOf,
  recordOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

async function post(
  path: string,
  body: unknown,
): Promise<{
  status: number;
  body: {
    success: boolean;
    data?: Record<string, unknown>;
    error?: { code: string; details?: { issues?: { path: string }[] } };
  };
}> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${stack.api}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: raw,
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

/** Reads until `count` events have come, then hangs up; resolves to their seqs, and whether the stream said its end. */
async function readSome(url: string, lastEventId: number, count: number): Promise<{ seqs: number[]; isEnd: boolean }> {
  const hangUp = new AbortController();
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (lastEventId > 0) headers['last-event-id'] = String(lastEventId);
  const answer = await fetch(url, { headers, signal: hangUp.signal });
  if (answer.status === 204) return { seqs: [], isEnd: true };
  const seqs: number[] = [];
  let isEnd = false;
  const parser = createParser({
    onEvent: ({ event, id }) => {
      if (event === 'end') isEnd = true;
      else if (seqs.length < count) seqs.push(Number(id));
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body!) {
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
      if (isEnd || seqs.length >= count) break;
    }
  } finally {
    hangUp.abort();
  }
  return { seqs, isEnd: isEnd && seqs.length < count };
}

it('a viewer that disconnects and reconnects with Last-Event-ID a hundred times has exactly the log', async () => {
  const started = await post('/v1/sessions', demoWithPictures(stack, randomUUID()));
  expect(started.status).toBe(202);
  const sessionId = started.body.data!['sessionId'] as string;
  const url = `${stack.api}/v1/sessions/${sessionId}/events`;
  const seen: number[] = [];
  let connections = 0;
  for (let isEnd = false; !isEnd; connections += 1) {
    const part = await readSome(url, seen.at(-1) ?? 0, 1);
    seen.push(...part.seqs);
    isEnd = part.isEnd;
  }
  const log = await stack.logOf(sessionId);
  expect(connections).toBeGreaterThanOrEqual(100);
  expect(seen).toEqual(log.map(({ seq }) => seq));
  expect(orderProblems(log)).toEqual([]);
});

it('gives the commands, screenshots and results of a session that has ended', async () => {
  const { body } = await post('/v1/sessions', {
    steps: [`Open ${stack.shop}/parts/counter`, 'Click "Add one"', 'Save the Count as count'],
  });
  const id = body.data!['sessionId'] as string;
  await endOf(stack, id);
  const get = async (path: string): Promise<Response> => await fetch(`${stack.api}/v1/sessions/${id}${path}`);
  const shown = (await (await get('')).json()) as {
    data: {
      session: { status: string };
      variables: { name: string; value: string }[];
      progress: { overallProgress: number };
      stepResults: { success: boolean; executedCommands: { commandId: string }[] }[];
    };
  };
  expect(shown.data.session.status).toBe('COMPLETED');
  expect(shown.data.progress.overallProgress).toBe(100);
  expect(shown.data.variables).toMatchObject([{ name: 'count' }]);
  expect(shown.data.stepResults.map(({ success }) => success)).toEqual([true, true, true]);
  const { commandId } = shown.data.stepResults[1]!.executedCommands[0]!;
  const command = (await (await get(`/commands/${commandId}`)).json()) as {
    data: { dom: string; screenshotId: string; commandId: string };
  };
  expect(command.data).toMatchObject({ commandId, success: true });
  expect(command.data.dom).toContain('Add one');
  const picture = await get(`/screenshots/${command.data.screenshotId}`);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(
    Buffer.from(await picture.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

it.each([
  ['no steps', { steps: [] }, 'steps'],
  ['an unknown field', { steps: ['Go back'], stepz: 1 }, 'stepz'],
  ['a step of 1,001 characters', { steps: ['x'.repeat(1001)] }, 'steps[0]'],
  ['10,001 steps', { steps: Array.from({ length: 10_001 }, () => 'Go') }, 'steps'],
  [
    'a broken timeout hierarchy',
    { steps: ['Go back'], config: { timeouts: { stepTimeoutMs: 1, requestTimeoutMs: 2 } } },
    'config.timeouts',
  ],
  [
    'firefox with approvals',
    { steps: ['Go back'], config: { browserType: 'firefox', agent: { approvalMode: 'always' } } },
    'config.agent.approvalMode',
  ],
])('refuses %s with 400, its path and a code, and starts nothing', async (_, request, path) => {
  const before = (await stack.client.list({ page: 1, pageSize: 1 })).total;
  const { status, body } = await post('/v1/sessions', request);
  expect({ status, success: body.success }).toEqual({ status: 400, success: false });
  expect(body.error!.code).toMatch(/^(FA001|SP001)$/);
  expect(body.error!.details!.issues!.map((issue) => issue.path)).toContain(path);
  expect((await stack.client.list({ page: 1, pageSize: 1 })).total).toBe(before);
});

it('refuses malformed JSON and a body over the limit', async () => {
  expect(await post('/v1/sessions', '{"steps": [')).toMatchObject({ status: 400, body: { error: { code: 'FA001' } } });
  expect((await post('/v1/sessions', { steps: ['x'.repeat(2_000_000)] })).status).toBe(413);
});

it('starts once for one Idempotency-Key', async () => {
  const key = randomUUID();
  const start = async (): Promise<string> => {
    const answer = await fetch(`${stack.api}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ steps: ['Wait 0 seconds'] }),
    });
    return ((await answer.json()) as { data: { sessionId: string } }).data.sessionId;
  };
  const [first, second] = await Promise.all([start(), start()]);
  expect(second).toBe(first);
});

describe('the command line', () => {
  const bin = join(__dirname, '..', '..', 'bin', 'surefoot.js');
  const environment = (): NodeJS.ProcessEnv => ({
    ...process.env,
    SUREFOOT_HOME: stack.home,
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    SHOP_PASSWORD,
  });
  /** As a process beside this one: a test that stood still would not see the server close the connections that it keeps. */
  const run = async (args: readonly string[], input?: string) => {
    const {
      exitCode: status,
      stdout,
      stderr,
    } = await runCli(args, {
      env: environment() as Record<string, string>,
      ...(input === undefined ? {} : { input }),
    });
    return { status, stdout, stderr };
  };
  const surefoot = (...args: string[]) => run(args);

  it('takes a message of 100,000 characters, whatever they weigh, as every other door does', async () => {
    const texts = ['api', 'added', 'file', 'signal'].map((door) => `${'字'.repeat(100_000 - door.length)}${door}`);
    const [first, second, third, fourth] = texts.map((task) => ({ task }));
    const config = { agent: { stayOpen: true } };
    const started = await post('/v1/sessions', { steps: [first], config });
    const id = started.body.data!['sessionId'] as string;
    expect(await post(`/v1/sessions/${id}/steps`, { steps: [second] })).toMatchObject({ status: 202 });
    const added = await run(['add-step', id, '--task', '-'], third!.task);
    expect({ code: added.status, stderr: added.stderr }).toEqual({ code: 0, stderr: '' });
    const handle = stack.engineTemporal.workflow.getHandle(id);
    await handle.signal('addSteps', { steps: [fourth] });
    await recordOf(stack, id, 'the last', ({ type, stepIndex }) => type === 'STEP_FAILED' && stepIndex === 3);
    const log = await stack.client.events(id, 0, 1000);
    const begun = log.flatMap(({ type, data }) => (type === 'STEP_STARTED' ? [data.step!.stepContent] : []));
    expect(begun).toEqual(texts);
    const plain = randomUUID();
    const facts = { workflowId: plain, taskQueue: ENGINE_QUEUE, args: [{ steps: [first], config }] };
    await stack.engineTemporal.workflow.start('session', facts);
    await eventually('the plain start is planned', async () => (await stack.engineStore.sessions.get(plain)) !== null);
    await recordOf(stack, plain, 'its end', ({ type }) => type === 'STEP_FAILED');
    const refused = await post(`/v1/sessions/${id}/steps`, { steps: [{ task: `${first!.task}x` }] });
    expect([refused.status, refused.body.error!.details!.issues]).toEqual([
      400,
      [expect.objectContaining({ path: 'steps[0].task' })],
    ]);
    for (const each of [id, plain]) await stack.client.cancel(each);
  });

  it('runs a session, follows it, and says by its exit code how it ended', async () => {
    const good = await surefoot(
      'run',
      `Open ${stack.shop}/parts/counter`,
      'Click "Add one"',
      'Save the Count as count',
    );
    expect({ code: good.status, stderr: good.stderr }).toEqual({ code: 0, stderr: '' });
    expect(good.stdout).toContain('CLICK_ELEMENT button "Add one"');
    expect(good.stdout).toContain('count = ');
    expect((await surefoot('run', `Open ${stack.shop}/parts`, 'Click "Nothing like this"')).status).toBe(1);
  });

  it('prints its events as NDJSON that fits the log', async () => {
    const { stdout, status } = await surefoot('run', '--json', `Open ${stack.shop}/parts`);
    expect(status).toBe(0);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sessionId: string; type: string; metadata: { seq: number } });
    const log = await stack.logOf(events[0]!.sessionId);
    expect(events.map(({ type }) => type)).toEqual(log.map(({ type }) => type));
  });

  it('refuses bad input with exit code 2 and the path', async () => {
    const refused = await surefoot('run', 'x'.repeat(1001));
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('steps[0]');
  });

  it('gives the terminal back at Ctrl-C with 130 while the session goes on', async () => {
    const child = spawn(process.execPath, [bin, 'run', `Open ${stack.shop}/parts`, 'Wait 20 seconds'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const sessionId = await eventually('the session is listed', async () => {
      const [latest] = (await stack.client.list({ page: 1, pageSize: 1 })).sessions;
      const steps = latest?.metadata?.['steps'] as string[] | undefined;
      return steps?.includes('Wait 20 seconds') === true && latest!.sessionId;
    });
    await recordOf(
      stack,
      sessionId,
      'the wait',
      ({ type, stepIndex }) => type === 'COMMAND_STARTED' && stepIndex === 1,
    );
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(output).toContain('surefoot watch');
    expect((await stack.client.get(sessionId)).session.status).toBe('ACTIVE');
    await stack.client.cancel(sessionId);
    expect(await endOf(stack, sessionId)).toBe('CANCELLED');
  });

  it('ends with 3 when --timeout is over', async () => {
    const { status, stdout, stderr } = await surefoot(
      'run',
      '--timeout',
      '2',
      `Open ${stack.shop}/parts`,
      'Wait 30 seconds',
    );
    expect(status).toBe(3);
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout + stderr)![0];
    expect((await surefoot('cancel', id)).status).toBe(0);
    expect(await endOf(stack, id)).toBe('CANCELLED');
    expect((await surefoot('pause', id)).status).toBe(2);
  });
});
