/** What stops the only thread of the API, of the keeper, or of a worker in native code: each names its session, and others take over. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { armFaults, faultsFired, FAULTS_BY_FILE } from '../../runtime/fault-point';
import { sessionIdFromKey } from '../../store/sessions/session-id';
import { eventually } from '../support/eventually';
import { startSite, type TestSite } from '../support/sites';
import { ONE_OF_EACH, endOf, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
let site: TestSite;
beforeAll(async () => {
  site = await startSite({ '/': '<title>Home</title><p>Welcome</p>' });
  const env = { ...FAULTS_BY_FILE, SUREFOOT_STALL_MS: '1000', SUREFOOT_STALL_END_MS: '3000' };
  stack = await startWholeStack(env, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  site.close();
}, 60_000);

/** The line of whichever process says that it is stalled by work of this session. */
function stallOf(sessionId: string): string | undefined {
  const folder = join(stack.home, 'logs');
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  return lines.find((line) => line.includes('the event loop is stalled by') && line.includes(sessionId));
}

async function start(label: string, faults: string, steps: string[]): Promise<string> {
  const sessionId = sessionIdFromKey('default', label);
  armFaults(stack.home, faults, sessionId);
  const config = { aiConfig: { model: 'rules' as const }, executorConfig: { screenshotsEnabled: false } };
  await stack.client.start({ steps: [`Open ${site.url}`, ...steps], config }, { idempotencyKey: label });
  return sessionId;
}

test('a request that stops the API is named with its session, and the API comes back', async () => {
  const sessionId = await start('api', 'loop@after-message:1', ['Wait 20 seconds']);
  const pid = stack.pidOf('api');
  const sent = fetch(`${stack.api}/v1/sessions/${sessionId}/pause`, { method: 'POST' }).catch(() => undefined);
  const stall = await eventually('the stall is logged', () => stallOf(sessionId));
  expect(stall).toContain(`POST /v1/sessions/${sessionId}/pause`);
  await sent;
  await eventually('another API answers', async () => {
    const answer = await fetch(`${stack.api}/health`).catch(() => undefined);
    return answer?.ok === true && stack.pidOf('api') !== pid;
  });
  await stack.client.cancel(sessionId);
  expect(await endOf(stack, sessionId)).toBe('CANCELLED');
}, 120_000);

test.each([
  ['a browser that stops the keeper', 'keeper', 'loop@during-fence:1', 'browser'],
  ['a call of native code that stops a worker', 'native', 'block@before-intent:1', 'runCommands'],
])(
  '%s is named with its session, which ends well',
  async (_what, label, fault, name) => {
    const sessionId = await start(label, fault, ['Check that the page says Welcome']);
    const stall = await eventually('the stall is logged', () => stallOf(sessionId));
    expect(stall).toContain(name);
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    expect(faultsFired(stack.home, sessionId)).toHaveLength(1);
  },
  120_000,
);
