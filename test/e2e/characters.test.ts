/**
 * The whole product led by models as they are: one that says PROCEED to everything, one that knows nothing but its prompt,
 * one that talks around its JSON and takes wrong elements, one that does one thing a turn. They answer over HTTP from the
 * text that they are sent (bench/characters). What they can do comes right, and what can't be done fails.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as connect } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHARACTERS } from '../../bench/characters/characters';
import { SHOP_TASK } from '../../bench/characters/shop-task';
import { startCharacterServer, type CharacterServer } from '../../bench/characters/server';
import { serveSite, type Site } from '../../cli/eval/site';
import type { StartRequest } from '../../contracts/sessions/start-request';
import {
  ONE_OF_EACH,
  SHOP_PASSWORD,
  demoRequest,
  endOf,
  startWholeStack,
  type WholeStack,
} from '../support/whole-stack';
import { everyNth } from '../support/long-run';

const ROOT = join(__dirname, '..', '..');
const NAMES = everyNth(
  2,
  CHARACTERS.map(({ name }) => name),
);
let stack: WholeStack;
let server: CharacterServer;
let office: Site;
let gate: Gate;
beforeAll(async () => {
  server = await startCharacterServer((text) => Math.ceil(text.length / 4));
  office = await serveSite(join(ROOT, 'examples', 'eval', 'office'));
  gate = await openGate(server.url);
  stack = await startWholeStack({ OPENAI_COMPATIBLE_BASE_URL: gate.url }, ONE_OF_EACH);
}, 240_000);
afterAll(async () => {
  await stack.stop();
  await gate.close();
  await office.close();
  await server.stop();
}, 60_000);

async function ledBy(name: string, request: StartRequest): Promise<{ status: string; id: string }> {
  const config = {
    ...request.config,
    executorConfig: { screenshotsEnabled: false },
    agent: { approvalMode: 'yolo' },
    aiConfig: { model: `ai:openai-compatible/${name}` },
  } as StartRequest['config'];
  const { sessionId } = await stack.client.start({ ...request, config });
  return { status: await endOf(stack, sessionId, 150_000), id: sessionId };
}

/** The names of the accounts that were made with this email. */
async function accounts(email: string): Promise<string[]> {
  const records = (await (await fetch(`${office.url}/records/accounts`)).json()) as { name: string; email: string }[];
  return records.filter((record) => record.email === email).map(({ name }) => name);
}

const emailOf = (name: string): string => `${name}.${randomUUID().slice(0, 8)}@example.com`;
const accountSteps = (email: string, password: string): string[] => [
  `Open ${office.url}/signup.html`,
  `Type "Ada Lovelace" into Full name, "${email}" into Email and "${password}" into Password`,
  'Choose "Norway" in Country, check "I accept the terms" and click "Create account"',
];

describe.each(NAMES)('the %s model', (name) => {
  it('leads the demo to one order, whose number is saved', async () => {
    const run = randomUUID();
    const { status, id } = await ledBy(name, demoRequest(stack, run));
    const orders = await stack.orders(run);
    const { variables, error } = await stack.client.get(id);
    expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
    expect(orders).toHaveLength(1);
    expect(variables.find((each) => each.name === 'order_number')?.value).toBe(orders[0]!.number);
  }, 180_000);

  it('carries out the shop as a task, and its answer has the number of the one order', async () => {
    const run = randomUUID();
    const variables = { password: { env: 'SHOP_PASSWORD' } };
    const url = `${stack.shop}/login?run=${run}`;
    const { status, id } = await ledBy(name, { steps: [{ task: SHOP_TASK, url }], variables });
    const [order, ...others] = await stack.orders(run);
    expect({ status, others }).toEqual({ status: 'COMPLETED', others: [] });
    expect((await stack.client.get(id)).answer).toContain(order!.number);
  }, 180_000);

  it('corrects a form that the page refuses, and makes one account', async () => {
    const email = emailOf(name);
    const { status } = await ledBy(name, { steps: accountSteps(email, 'correct horse battery') });
    expect({ status, accounts: await accounts(email) }).toEqual({ status: 'COMPLETED', accounts: ['Ada Lovelace'] });
  }, 180_000);

  it('says of a task that can not be done that it has not succeeded', async () => {
    const email = emailOf(name);
    const [, ...steps] = accountSteps(email, 'short');
    const { status } = await ledBy(name, { steps: [{ task: steps.join('. '), url: `${office.url}/signup.html` }] });
    expect({ status, accounts: await accounts(email) }).toEqual({ status: 'FAILED', accounts: [] });
  }, 180_000);

  it('fails with the words of the page where the page accepts nothing that the step gives', async () => {
    const email = emailOf(name);
    const { status, id } = await ledBy(name, { steps: accountSteps(email, 'short') });
    expect({ status, accounts: await accounts(email) }).toEqual({ status: 'FAILED', accounts: [] });
    expect((await stack.client.get(id)).error!.message).toContain('A password has at least 12 characters');
  }, 180_000);
});

it('surefoot eval compares `rules` with one of them, on cases of the shop and the office', async () => {
  const models = ['rules', 'ai:openai-compatible/blunt'];
  const cases = ['Press a button that counts', 'Say that the password is wrong', 'Look up an invoice'];
  const file = join(ROOT, 'examples', 'eval', 'cases.yaml');
  const options = [...models.flatMap((each) => ['--model', each]), ...cases.flatMap((each) => ['--case', each])];
  const where = ['--api', stack.api, '--variable', `shop=${stack.shop}`];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'bin', 'surefoot.js'), 'eval', file, '--json', ...options, ...where],
    { env: { ...process.env, SUREFOOT_HOME: stack.home, SHOP_PASSWORD } },
  );
  const result = JSON.parse(stdout) as { isGood: boolean; models: object[]; runs: { session: string }[] };
  expect(result.isGood).toBe(true);
  expect(result.models).toMatchObject([
    { model: models[0], passed: 3, runs: 3, falseSuccesses: 0, calls: 0 },
    { model: models[1], passed: 3, runs: 3, falseSuccesses: 0, calls: expect.any(Number), failures: {} },
  ]);
  const [{ session }] = result.runs as [{ session: string }];
  expect((await fetch(session)).status).toBe(200);
}, 180_000);

interface Gate {
  url: string;
  close(): Promise<void>;
}

/** Passes requests on to a model, until a GET shuts it: then it takes no key any more. */
async function openGate(model: string): Promise<Gate> {
  let isShut = false;
  const gate = createServer((request, response) => {
    // The engine looks whether the server has slots; this one has none.
    if (request.url === '/slots') return void response.writeHead(404).end();
    isShut ||= request.method === 'GET';
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method === 'GET') return json(200, { isShut });
    if (isShut) return json(401, { error: { message: 'The key was revoked.' } });
    const { headers, method } = request;
    const passed = connect(`${model}${request.url!.replace('/v1', '')}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    passed.once('error', () => response.destroy());
    request.pipe(passed);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/v1`,
    async close() {
      gate.closeAllConnections();
      gate.close();
      await once(gate, 'close');
    },
  };
}

interface Evaluated {
  code?: number;
  stdout: string;
  stderr: string;
}

function evaluate(...args: string[]): Promise<Evaluated> {
  const command = [join(ROOT, 'bin', 'surefoot.js'), 'eval', ...args, '--api', stack.api];
  const env = { ...process.env, SUREFOOT_HOME: stack.home, SHOP_PASSWORD };
  return promisify(execFile)(process.execPath, [...command, '--variable', `shop=${stack.shop}`], { env }).catch(
    (error: unknown) => error as Evaluated,
  );
}

it('surefoot eval stops at the first run of a model whose settings are missing, and names them', async () => {
  const file = join(ROOT, 'examples', 'eval', 'cases.yaml');
  const ended = await evaluate(file, '--model', 'ai:anthropic/claude-sonnet-4-5', '--parallel', '2');
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('ANTHROPIC_API_KEY is not set') });
}, 180_000);

it('surefoot eval keeps its runs when a model takes the key no more that it took before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surefoot-eval-'));
  const file = join(folder, 'gate.yaml');
  const open = { start: '${shop}/parts/counter', steps: ['Click "Add one"', 'Click "Add one"'] };
  const cases = [
    { name: 'Before', ...open, expect: { state: [{ get: gate.url, at: 'isShut', equals: true }] } },
    { name: 'After', ...open, expect: { outcome: 'fails' } },
  ];
  writeFileSync(file, JSON.stringify({ name: 'A key that is revoked', models: ['ai:openai-compatible/eager'], cases }));
  const { code, stdout } = await evaluate(file, '--json').finally(() => rmSync(folder, { recursive: true }));
  expect(code).toBe(1);
  expect((JSON.parse(stdout) as { runs: unknown }).runs).toEqual([
    expect.not.objectContaining({ failure: expect.anything() }),
    expect.objectContaining({ case: 'After', failure: { kind: 'model', message: expect.stringContaining('revoked') } }),
  ]);
}, 180_000);
