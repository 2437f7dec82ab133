/**
 * The demo session on the whole product. Proves: it completes and orders once; a screenshot per command; S1.A30 on the
 * real log; the formats of its viewers; the history budget; no secret anywhere; a start by plain Temporal; invalid input
 * by plain Temporal.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, ApplicationFailure } from '@temporalio/client';
import { followAs } from '../../service/events/follow-format';
import { followFrames } from '../../client/http/event-client';
import { encodeAll, type EventFormat } from '../../contracts/events/formats/format';
import { FORMATS, FORMAT_NAMES } from '../../contracts/events/formats/formats';
import { StreamEventType } from '../../contracts/events/stream-event';
import type { LogRecord } from '../../contracts/events/log';
import { eventually } from '../support/eventually';
import { payloadProblems } from '../../bench/log-checks/payloads';
import { orderProblems } from '../support/event-order';
import { takenForDead } from '../support/presumed-dead';
import {
  ONE_OF_EACH,
  SHOP_PASSWORD,
  demoWithPictures,
  endOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';

const LONGEST_BATCH = 8;

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

describe('the demo session', () => {
  const run = randomUUID();
  let sessionId: string;
  let log: LogRecord[];
  /** By format, what those who followed it while it ran received. */
  let seen: { format: (typeof FORMAT_NAMES)[number]; wire: unknown[]; inProcess: unknown[] }[];

  beforeAll(async () => {
    ({ sessionId } = await stack.client.start(demoWithPictures(stack, run)));
    const viewers = FORMAT_NAMES.map(async (format) => {
      const [wire, inProcess] = await Promise.all([
        Array.fromAsync(followFrames(sessionId, format, { api: stack.api, retryMs: 100 })),
        Array.fromAsync(followAs(stack.client, sessionId, format)),
      ]);
      return { format, wire, inProcess };
    });
    log = await stack.logOf(sessionId, 110_000);
    seen = await Promise.all(viewers);
  }, 120_000);

  const ofType = (type: StreamEventType): LogRecord[] => log.filter((record) => record.type === type);

  it('completes, saves the order number, and the shop has counted one order', async () => {
    const { session, variables, error } = await stack.client.get(sessionId);
    expect({ status: session.status, error }).toEqual({ status: 'COMPLETED', error: null });
    const orders = await stack.orders(run);
    expect(orders).toHaveLength(1);
    expect(variables.find(({ name }) => name === 'order_number')?.value).toBe(orders[0]!.number);
  });

  it('[S1.A30] writes its events in order, with one terminal event, last', () => {
    expect(orderProblems(log)).toEqual([]);
    expect(log.at(-1)!.type).toBe(StreamEventType.WORKFLOW_COMPLETED);
  });

  it("[S1.R13, S1.A28] gives every event its family's payload, every payload its event's session", () => {
    expect(payloadProblems(log)).toEqual([]);
    expect(ofType(StreamEventType.WORKFLOW_PROGRESS).length).toBeGreaterThan(0);
  });

  it('[S1.R11] has a screenshot and a DOM for every command', async () => {
    const ended = ofType(StreamEventType.COMMAND_COMPLETED);
    expect(ended.length).toBeGreaterThan(15);
    // One that failed, because its page was slow, is tried again and has its own.
    const all = [...ended, ...ofType(StreamEventType.COMMAND_FAILED)];
    const pictures = ofType(StreamEventType.SCREENSHOT_CAPTURED);
    // With a batch that was cut off go the pictures that it had still to take.
    const stalls = await takenForDead(stack, sessionId);
    expect(Math.abs(pictures.length - all.length)).toBeLessThanOrEqual(stalls * LONGEST_BATCH);
    for (const { data } of ended) {
      const answer = await stack.client.command(sessionId, data.command!.commandId);
      expect(answer).toMatchObject({ success: true, commandId: data.command!.commandId });
      expect(answer.dom).toContain('<html');
      expect(answer.screenshotId).not.toBe('');
    }
    const shots = await stack.client.screenshots(sessionId);
    expect(shots).toHaveLength(pictures.length);
    expect(shots[0]!.dimensions).toEqual({ width: 1280, height: 800 });
  });

  it('is followed in all formats at once, over HTTP and in process: each equals its fold of the final log', () => {
    expect(seen.map(({ format }) => format)).toEqual(FORMAT_NAMES);
    for (const { format, wire, inProcess } of seen) {
      const folded = encodeAll(FORMATS[format] as EventFormat<unknown, object>, log);
      expect(folded.length).toBeGreaterThan(10);
      expect([format, inProcess]).toEqual([format, folded]);
      expect([format, JSON.parse(JSON.stringify(wire))]).toEqual([format, JSON.parse(JSON.stringify(folded))]);
    }
    if (process.env['RECORD_GOLDEN'] === '1') recordGolden(log, run);
  });

  it('keeps the password out of log, store, artifacts, history and the logs of the processes', async () => {
    const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
    const details = await stack.client.get(sessionId, { dom: true });
    const files = ['artifacts', 'logs'].flatMap((folder) =>
      readdirSync(join(stack.home, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(JSON.stringify(log)).not.toContain(SHOP_PASSWORD);
    expect(JSON.stringify(history)).not.toContain(SHOP_PASSWORD);
    expect(Buffer.from(JSON.stringify(history)).toString()).not.toContain(
      Buffer.from(SHOP_PASSWORD).toString('base64').slice(0, 8),
    );
    expect(JSON.stringify(details)).not.toContain(SHOP_PASSWORD);
    expect(files.filter((file) => file.includes(SHOP_PASSWORD))).toEqual([]);
  });

  it('spends at most 14 history events an iteration and a handful a step and a session', async () => {
    const events = (await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory()).events ?? [];
    const iterations = ofType(StreamEventType.AI_RESPONSE_RECEIVED).length;
    const steps = ofType(StreamEventType.STEP_STARTED).length;
    expect(events.length).toBeLessThanOrEqual(14 * iterations + 4 * steps + 40);
  });

  it('leaves no browser behind', async () => {
    await eventually('no lease is left', async () => (await stack.engineStore.leases.get(sessionId)) === null);
    const left = readdirSync(join(stack.home, 'browsers', 'local')).filter((name) => name.includes(sessionId));
    expect(left).toEqual([]);
  });

  it('is visible in Temporal: summary, steps in the memo, search attributes, activity summaries', async () => {
    const handle = stack.engineTemporal.workflow.getHandle(sessionId);
    const description = await handle.describe();
    expect(await description.staticSummary()).toContain('Open ${shop}/login');
    expect(description.memo).toMatchObject({ steps: expect.arrayContaining(['Expect "Thank you"']) });
    expect(description.searchAttributes).toMatchObject({ SurefootStatus: ['COMPLETED'], SurefootModel: ['rules'] });
  });
});

test('[S1.R13, S1.A6] a failure event carries its error beside the payload of its family', async () => {
  const { sessionId } = await stack.client.start({
    steps: [`Open ${stack.shop}/parts/counter?run=${randomUUID()}`, 'Expect "A text that is nowhere"'],
    config: { maxIterations: 1 },
  });
  const log = await stack.logOf(sessionId);
  expect(payloadProblems(log)).toEqual([]);
  const failures = log.filter(({ type }) => type.endsWith('_FAILED'));
  expect(new Set(failures.map(({ type }) => type))).toEqual(
    new Set(['COMMAND_FAILED', 'STEP_FAILED', 'WORKFLOW_FAILED']),
  );
  for (const { data } of failures) expect(data.error?.code).toMatch(/^(EX|TL)00\d$/);
});

describe('plain Temporal', () => {
  const temporal = (...args: string[]): string =>
    execFileSync('temporal', [...args, '--address', stack.temporalAddress, '-o', 'json'], {
      encoding: 'utf8',
      env: pathWithTemporal(),
    });

  it('starts a session by `temporal workflow start`, which the API lists', async () => {
    const name = `by-hand-${randomUUID()}`;
    const input = JSON.stringify({
      steps: [`Open ${stack.shop}/parts/counter?run=${name}`, 'Click "Add one"', 'Expect "1"'],
    });
    temporal(
      'workflow',
      'start',
      '--type',
      'session',
      '--task-queue',
      'surefoot',
      '--workflow-id',
      name,
      '--input',
      input,
    );
    const listed = await eventually('the session is listed by the API', async () => {
      const answer = (await (await fetch(`${stack.api}/v1/sessions`)).json()) as {
        data: { sessionId: string; metadata: { steps: string[] } }[];
      };
      return answer.data.find(({ metadata }) => metadata.steps[0]?.includes(name));
    });
    expect(await endOf(stack, listed.sessionId)).toBe('COMPLETED');
    expect(orderProblems(await stack.logOf(listed.sessionId))).toEqual([]);
  });

  it.each([
    ['no steps', { steps: [] }, 'steps'],
    ['an unknown field', { steps: ['Go back'], stepz: 1 }, 'stepz'],
    [
      'a broken timeout hierarchy',
      { steps: ['Go back'], config: { timeouts: { stepTimeoutMs: 1, requestTimeoutMs: 2 } } },
      'stepTimeoutMs (1)',
    ],
  ])('fails the workflow at once, with the reason, for %s', async (_, input, reason) => {
    const handle = await stack.engineTemporal.workflow.start('session', {
      taskQueue: 'surefoot',
      workflowId: randomUUID(),
      args: [input],
    });
    const failure = await handle.result().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(WorkflowFailedError);
    const cause = (failure as WorkflowFailedError).cause as ApplicationFailure;
    expect(cause).toBeInstanceOf(ApplicationFailure);
    expect({ type: cause.type, message: cause.message }).toEqual({
      type: 'SP001',
      message: expect.stringContaining(reason),
    });
  });
});

/** For test/contracts/events/golden: where the shop stood, and how the run was labelled, is of this day. */
function recordGolden(log: readonly LogRecord[], run: string): void {
  const folder = join(__dirname, '..', 'contracts', 'golden', 'act-reflect');
  mkdirSync(folder, { recursive: true });
  const text = log.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, 'log.ndjson'), text.replaceAll(stack.shop, 'http://shop.test').replaceAll(run, 'formats'));
}

function pathWithTemporal(): NodeJS.ProcessEnv {
  const home = process.env['HOME'] ?? '';
  return {
    ...process.env,
    PATH: `${process.env['PATH']}:${join(home, 'go', 'bin')}:${join(home, '.cache', 'surefoot', 'bin')}`,
  };
}
