/** What `surefoot dev` does: Temporal keeps nothing readable, and everything that reads it on this machine still can. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSessions } from '../../service/sessions';
import { connectTemporal } from '../../service/connection/connect-temporal';
import { payloadKeysOfStack } from '../../cli/stack/payload-keys';
import { locateTemporal } from '../../cli/stack/programs/locate-temporal';
import { systemProbes } from '../../cli/stack/programs/probes';
import { readSettings } from '../../runtime/settings/settings';
import { runCli } from '../cli/cli-process';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

/** Stands in a step, in its error and in the message of a failure. */
const WORD = 'Zanzibar';
let stack: WholeStack;
let environment: Record<string, string>;

beforeAll(async () => {
  stack = await startWholeStack({}, { ...ONE_OF_EACH, encryptsPayloads: true });
  environment = { SUREFOOT_HOME: stack.home };
});
afterAll(() => stack.stop());

function bytesOfTemporal(): string {
  const folder = join(stack.home, 'temporal');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

async function temporal(args: string[], more: Record<string, string> = {}): Promise<string> {
  const source = locateTemporal(systemProbes({ ...process.env, TEMPORAL_ADDRESS: '' }), stack.home);
  const env = { ...process.env, TEMPORAL_ADDRESS: stack.temporalAddress, ...more };
  const program = source.kind === 'program' ? source.path : 'temporal';
  return (await promisify(execFile)(program, args, { env })).stdout;
}

test('Temporal of a local stack keeps no words of a user, and the command line goes on as it did', async () => {
  const steps = [`open ${stack.shop}`, `check that "${WORD}" is shown`];
  const file = statSync(join(stack.home, 'payload.keys'));
  expect(file.mode & 0o777).toBe(0o600);
  const started = await runCli(['run', '--detach', ...steps], { env: environment });
  const sessionId = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started.stdout)![0];
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const shown = await runCli(['show', sessionId], { env: environment });
  expect(shown.stdout).toContain(WORD);
  const bytes = bytesOfTemporal();
  expect(bytes).toContain(sessionId);
  expect(bytes).not.toContain(WORD);
});

test('a plain start by the `temporal` command works, and its result is read through the codec of the API', async () => {
  const input = JSON.stringify({ steps: [`open ${stack.shop}`] });
  const start = ['workflow', 'start', '--type', 'session', '--task-queue', 'surefoot', '--workflow-id', 'plain'];
  await temporal([...start, '--input', input]);
  const codec = { TEMPORAL_CODEC_ENDPOINT: `${stack.api}/codec` };
  const result = await temporal(['workflow', 'result', '--workflow-id', 'plain', '--output', 'json'], codec);
  expect(JSON.parse(result)).toMatchObject({ status: 'COMPLETED' });
});

test("Temporal's own page gets the codec of the API, which answers it and no other page", async () => {
  const ui = stack.stack.addresses.temporalUi!;
  const settings = (await (await fetch(`${ui}/api/v1/settings`)).json()) as { Codec: { Endpoint: string } };
  expect(settings.Codec.Endpoint).toBe(`${stack.api}/codec`);
  const decode = (Origin: string) =>
    fetch(`${settings.Codec.Endpoint}/decode`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin },
      body: JSON.stringify({ payloads: [] }),
    });
  expect((await decode(ui)).headers.get('access-control-allow-origin')).toBe(ui);
  expect((await decode('http://evil.example')).status).toBe(403);
});

test('a program on this home reads and writes with its key, and one that turns encryption off still reads', async () => {
  const settings = readSettings({ ...environment, TEMPORAL_ADDRESS: stack.temporalAddress });
  expect(settings.temporal.payloadKeys.map(({ id }) => id)).toEqual(['local']);
  const off = payloadKeysOfStack(stack.home, { SUREFOOT_PAYLOAD_KEYS: 'off' }, true)!;
  const plain = readSettings({ ...environment, SUREFOOT_PAYLOAD_KEYS: off });
  expect(plain.temporal.payloadKeys).toEqual([expect.objectContaining({ id: 'local', onlyDecrypts: true })]);
  const client = connectTemporal(plain.temporal);
  try {
    const sessions = createSessions({ store: stack.engineStore, temporal: client });
    const { sessionId } = await sessions.start({ steps: [`open ${stack.shop}`] });
    expect(await endOf(stack, sessionId)).toBe('COMPLETED');
    // The input was written plain, the outcome encrypted by the workers.
    expect(bytesOfTemporal()).toContain(`"open ${stack.shop}"`);
    expect(await client.workflow.getHandle(sessionId).result()).toMatchObject({ status: 'COMPLETED' });
  } finally {
    await client.connection.close();
  }
});

test('a home without a key is encrypted only where the stack is asked to; one with a key goes on', () => {
  const none = join(stack.home, 'artifacts');
  expect(payloadKeysOfStack(none, {}, false)).toBeUndefined();
  expect(payloadKeysOfStack(none, { SUREFOOT_PAYLOAD_KEYS: 'off' }, true)).toBe('off');
  const known = readFileSync(join(stack.home, 'payload.keys'), 'utf8');
  expect(payloadKeysOfStack(stack.home, {}, false)).toBe(known);
  expect(payloadKeysOfStack(stack.home, { SUREFOOT_PAYLOAD_KEYS: 'a=b' }, true)).toBe('a=b');
});
