/**
 * A sign-in with a second factor by the whole product: the code comes from a seed of the workers, and neither of them is in
 * anything that the product keeps or prints.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Secret } from 'otpauth';
import { startCodeSite, type CodeSite } from '../support/code-site';
import { everyRow } from '../support/every-row';
import { filesIn, textsIn } from '../support/texts-in';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

const secret = new Secret({ buffer: randomBytes(20).buffer }).base32;
const seed = `otpauth://totp/Shop:ada?secret=${secret}&digits=8&period=6`;

let stack: WholeStack;
let site: CodeSite;
beforeAll(async () => {
  site = await startCodeSite(seed);
  stack = await startWholeStack(
    { SHOP_SEED: seed, SHOP_WORD: 'hunter2!', SUREFOOT_ENV_SECRETS: 'SHOP_SEED,SHOP_WORD', LOG_LEVEL: 'debug' },
    ONE_OF_EACH,
  );
}, 180_000);
afterAll(async () => {
  site.close();
  await stack.stop();
}, 60_000);

function start(totp: object): Promise<Response> {
  return fetch(`${stack.api}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      steps: [`Open ${site.url}/`, 'Type "${code}" into Code and click "Verify"', 'Expect "Signed in"'],
      secrets: { code: { totp, origins: [site.url] } },
      config: { aiConfig: { model: 'rules' } },
    }),
  });
}

async function idOf(answer: Response): Promise<string> {
  const { data } = (await answer.json()) as { data: { sessionId: string } };
  return data.sessionId;
}

it('signs in, and has the code in no history, table, artifact, event or output', async () => {
  const sessionId = await idOf(await start({ env: 'SHOP_SEED' }));
  await endOf(stack, sessionId, 60_000);
  const log = await stack.logOf(sessionId);
  expect(log.at(-1)?.type).toBe('WORKFLOW_COMPLETED');
  const [sent] = site.sent;
  expect(sent).toMatchObject({ code: expect.stringMatching(/^\d{8}$/) as string, isRight: true });
  const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
  const events = await fetch(`${stack.api}/v1/sessions/${sessionId}/events?actions=s1`, {
    headers: { accept: 'text/event-stream' },
  });
  const places: Record<string, string[]> = {
    history: textsIn(history),
    tables: await everyRow(stack.databaseUrl),
    artifacts: filesIn(join(stack.home, 'artifacts')),
    output: filesIn(join(stack.home, 'logs')),
    events: [await events.text(), JSON.stringify(log)],
  };
  for (const [place, texts] of Object.entries(places)) {
    const text = texts.join('\n');
    expect(text.length).toBeGreaterThan(1000);
    for (const hidden of [sent!.code, secret, seed])
      expect({ place, has: text.includes(hidden) }).toEqual({ place, has: false });
  }
  expect(places['artifacts']!.join('')).toContain('[secret]');
}, 90_000);

it('refuses a seed that is none: the API at once, the worker where it reads it, both without the value', async () => {
  const refused = await start({ value: 'hunter2!' });
  const text = await refused.text();
  expect(refused.status).toBe(400);
  expect(text).toContain('secrets.code.totp.value');
  expect(text).toContain('expected the seed of an authenticator app');
  const sessionId = await idOf(await start({ env: 'SHOP_WORD' }));
  await endOf(stack, sessionId, 60_000);
  const log = JSON.stringify(await stack.logOf(sessionId));
  expect(log).toContain('the environment variable SHOP_WORD of the browser worker has');
  expect(log).toContain('WORKFLOW_FAILED');
  expect(text + log).not.toContain('hunter2!');
}, 90_000);
