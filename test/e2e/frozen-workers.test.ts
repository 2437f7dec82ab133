/**
 * What would stop a process for good, on the whole product: a pattern of a caller and a text of a page that a backtracking
 * engine compares for ever; and an activity that keeps the only thread of each worker that runs it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { armFaults, faultsFired, FAULTS_BY_FILE, type FaultPoint } from '../../runtime/fault-point';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import { eventually } from '../support/eventually';
import { startSite, type TestSite } from '../support/sites';
import { endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

const SLOW = `${'a'.repeat(50)}!`;

let stack: WholeStack;
let site: TestSite;
beforeAll(async () => {
  site = await startSite({ '/': `<title>Code</title><dl><dt>Code</dt><dd>${SLOW}</dd></dl>` });
  stack = await startWholeStack({ ...FAULTS_BY_FILE, SUREFOOT_STALL_MS: '1000', SUREFOOT_STALL_END_MS: '4000' });
}, 240_000);
afterAll(async () => {
  await stack.stop();
  site.close();
}, 60_000);

const QUICK = { aiConfig: { model: 'rules' }, executorConfig: { screenshotsEnabled: false } };
const codeLike = (pattern: string) => ({
  schema: { type: 'object', properties: { code: { type: 'string', pattern } }, required: ['code'] },
});

test('a pattern that backtracks for ever on a page is answered at once, by the same workers as before', async () => {
  const before = ['engine-1', 'engine-2'].map((name) => stack.pidOf(name));
  const request = { steps: [`Open ${site.url}`, 'Extract the code'], config: QUICK };
  const [attack, neighbour] = await Promise.all([
    stack.client.start({ ...request, result: codeLike('^(a+)+$') }),
    stack.client.start({ ...request, result: codeLike('^(a+)+!$') }),
  ]);
  expect(await endOf(stack, neighbour.sessionId)).toBe('COMPLETED');
  expect(await stack.client.get(neighbour.sessionId)).toMatchObject({ result: { code: SLOW } });
  expect(await endOf(stack, attack.sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(attack.sessionId);
  expect(error).toMatchObject({ code: 'TL004', message: expect.stringContaining('code must match pattern "^(a+)+$"') });
  expect(['engine-1', 'engine-2'].map((name) => stack.pidOf(name))).toEqual(before);
});

test('a pattern that no linear engine takes is refused by the API with its path and what to write instead', async () => {
  const answer = await fetch(`${stack.api}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ steps: [`Open ${site.url}`, 'Extract the code'], result: codeLike('^(?!foo)') }),
  });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(await answer.json())).toMatch(
    /result\.schema\.properties\.code\.pattern.*is a look-ahead, which can't be matched in linear time; write what must not occur/,
  );
});

/** A session whose work at this point loops for ever, in each worker that runs it, up to five times. */
async function startLooping(point: FaultPoint, label: string): Promise<string> {
  const sessionId = sessionIdFromKey('default', label);
  const loops = [1, 2, 3, 4, 5].map((nth) => `loop@${point}:${nth}`);
  armFaults(stack.home, loops.join(), sessionId);
  const request = { steps: [`Open ${site.url}`, 'Extract the code'], config: QUICK, result: codeLike('!$') };
  await stack.client.start(request, { idempotencyKey: label });
  return sessionId;
}

const loopsOf = (sessionId: string): number => faultsFired(stack.home, sessionId).length;

/** Lines of the logs of all processes that name the session. */
function logLines(sessionId: string): string[] {
  const folder = join(stack.home, 'logs');
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return files.flatMap((text) => text.split('\n').filter((line) => line.includes(sessionId)));
}

test.each<[string, FaultPoint, string]>([
  ['engine', 'during-model-call', 'decide'],
  ['browser', 'before-intent', 'runCommands'],
  // Its session has no log to write its end to: what watches over workflows does.
  ['engine (before the log)', 'before-append', 'openSession'],
])(
  'an activity that froze two %s workers is not run again: its session fails, others end well',
  async (_worker, point, named) => {
    const sessionId = await startLooping(point, `loop-${point}`);
    await eventually('the first worker is frozen', async () => loopsOf(sessionId) > 0);
    const neighbour = await stack.client.start({
      steps: [`Open ${site.url}`, 'Extract the code'],
      config: QUICK,
      result: codeLike('!$'),
    });
    expect(await endOf(stack, sessionId)).toBe('FAILED');
    expect(loopsOf(sessionId)).toBe(2);
    const { error } = await stack.client.get(sessionId);
    expect(error?.message).toMatch(
      /^The activity \w+ of this session has frozen its worker 2 times, so it is not run again\. It was last at /,
    );
    expect(error).toMatchObject({ code: 'SP002', retryable: false, details: { kind: 'quarantined' } });
    expect(await endOf(stack, neighbour.sessionId)).toBe('COMPLETED');
    const stalled = logLines(sessionId).filter((line) => line.includes('the event loop is stalled by'));
    expect(stalled).toHaveLength(2);
    expect(stalled[0]).toContain('loopForEver');
    expect(`${stalled[0]} ${error?.message}`).toContain(named);
  },
);

test('a session whose activity freezes workers can be cancelled', async () => {
  const sessionId = await startLooping('during-model-call', 'loop-and-cancel');
  await eventually('the first worker is frozen', async () => loopsOf(sessionId) > 0);
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toMatch(/CANCELLED|FAILED/);
  expect(loopsOf(sessionId)).toBeLessThanOrEqual(2);
});
