/**
 * Results of sessions on the whole product: rows of many pages in the shape of a schema, each value with its source; what
 * is missing when a page fails; a model that chooses values by refs, with its round of repair; a schema that is none; the
 * command line.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionResult } from '../../contracts/results/result';
import { runCli } from '../cli/cli-process';
import { calls, startAgentStack, type AgentStack } from '../support/agent-stack';
import { geminiAnswers } from '../support/model-server/gemini';
import type { Heard, Play } from '../support/model-server/server';
import { refOf } from '../support/tool-caller';
import { endOf } from '../support/whole-stack';

const PRODUCTS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      price: { type: 'number' },
      link: { type: 'string', format: 'uri' },
    },
    required: ['name', 'price', 'link'],
    additionalProperties: false,
  },
};

interface Product {
  name: string;
  price: number;
  link: string;
}

/** No vendor is asked, and no pictures are taken. */
const QUICK = { aiConfig: { model: 'rules' }, executorConfig: { screenshotsEnabled: false } };

let stack: AgentStack;
beforeAll(async () => {
  stack = await startAgentStack({ hasBrowsers: true });
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

test('a catalogue of six pages comes back whole: 120 products, each value with node and address', async () => {
  const { sessionId, workflowId } = await stack.client.start({
    steps: [`Open ${stack.shop}/catalogue`, 'Extract all products with name, price and link'],
    result: { schema: PRODUCTS },
    config: QUICK,
  });
  const status = await endOf(stack, sessionId);
  const details = await stack.client.get(sessionId);
  expect({ status, error: details.error }).toEqual({ status: 'COMPLETED', error: null });
  const products = details.result as Product[];
  expect(products).toHaveLength(120);
  expect(new Set(products.map(({ link }) => link)).size).toBe(120);
  expect(products[0]).toEqual({ name: 'Alder Trail Shoe', price: 89, link: `${stack.shop}/products/alder-trail-shoe` });
  expect(products.at(-1)).toEqual({
    name: 'Pine Walking Poles',
    price: 78,
    link: `${stack.shop}/products/pine-walking-poles`,
  });

  const result: SessionResult = await stack.client.result(sessionId);
  expect(result).toMatchObject({ isComplete: true, rows: { seen: 120, returned: 120 }, missing: [], schema: PRODUCTS });
  expect(result.pages.map(({ url, seen, returned }) => ({ url, seen, returned }))).toEqual(
    [1, 2, 3, 4, 5, 6].map((page) => ({
      url: `${stack.shop}/catalogue${page === 1 ? '' : `?page=${page}`}`,
      seen: 20,
      returned: 20,
    })),
  );
  const paths = products.flatMap((_, row) => ['name', 'price', 'link'].map((member) => `/${row}/${member}`));
  expect(result.sources.map(({ path }) => path).sort()).toEqual(paths.sort());
  const price = result.sources.find(({ path }) => path === '/25/price');
  expect(price).toMatchObject({ url: `${stack.shop}/catalogue?page=2`, text: '$16.00' });
  expect(price!.selector).toMatch(/li:nth-of-type\(6\) > p/);
  expect(result.sources.find(({ path }) => path === '/25/link')).toMatchObject({ attribute: 'href' });

  const outcome: unknown = await stack.engineTemporal.workflow.getHandle(workflowId).result();
  expect(outcome).toMatchObject({ completedSteps: 2, resultInfo: { rows: 120, stepIndex: 1 }, result: products });
}, 120_000);

test('a result too large for a history is kept in the store, and the workflow returns its size', async () => {
  const properties = { ...PRODUCTS.items.properties, url: { type: 'string', format: 'uri' } };
  const schema = { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } };
  const { sessionId, workflowId } = await stack.client.start({
    steps: [{ extract: 'all products', url: `${stack.shop}/catalogue` }],
    result: { schema },
    config: QUICK,
  });
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  const kept = (await stack.client.get(sessionId)).result as unknown[];
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  expect([kept.length, bytes > 16 * 1024]).toEqual([120, true]);
  const handle = stack.engineTemporal.workflow.getHandle(workflowId);
  const outcome = (await handle.result()) as Record<string, unknown>;
  expect(outcome).toMatchObject({ resultInfo: { rows: 120, bytes } });
  expect(outcome).not.toHaveProperty('result');
  expect(JSON.stringify(await handle.fetchHistory())).not.toContain('pine-walking-poles');
}, 120_000);

const OFFERS = {
  type: 'array',
  items: {
    type: 'object',
    properties: { offer: { type: 'string' }, gross: { type: 'number' } },
    required: ['offer', 'gross'],
  },
};

/** The results of the newest turn's calls, as the model got them. */
function newestResults({ body }: Heard): string {
  const { contents } = body as { contents: { parts: object[] }[] };
  return JSON.stringify(contents.at(-1)).replaceAll('\\n', '\n').replaceAll('\\"', '"');
}

/** A model of a vendor: these are its turns, each made of what it has got last. */
function leads(...turns: ((got: string) => [name: string, args: object])[]): Play[] {
  return turns.map((turn) => (response, heard) => geminiAnswers(calls(turn(newestResults(heard))))(response, heard));
}
const done = (): [string, object] => ['done', { success: true, answer: 'One offer: a boat for 1 €.' }];
const extract = (): [string, object] => ['extract', {}];

test('a model that left something out gets one round to repair it, and chooses values by their refs', async () => {
  stack.model.play(
    ...leads(
      () => ['navigate', { url: `${stack.shop}/catalogue` }],
      extract,
      done,
      () => ['read_page', {}],
      (page) => [
        'extract',
        {
          values: [
            { member: 'offer', ref: refOf(page, 'Alder Trail Shoe') },
            { member: 'gross', ref: /\[ref=(\w+)\]: \$89\.00/.exec(page)![1]! },
          ],
        },
      ],
      done,
    ),
  );
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'List the offers', url: `${stack.shop}/catalogue`, result: { schema: OFFERS, pages: 1 } }],
    config: { executorConfig: { screenshotsEnabled: false } },
  });
  const status = await endOf(stack, sessionId);
  const { error, result, answer } = await stack.client.get(sessionId);
  expect({ status, error }).toEqual({ status: 'COMPLETED', error: null });
  const offers = result as { offer: string; gross: number }[];
  expect(offers).toHaveLength(20);
  expect(offers[0]).toEqual({ offer: 'Alder Trail Shoe', gross: 89 });
  // What the model says is its answer, and no value.
  expect(answer).toContain('a boat');
  const { sources } = await stack.client.result(sessionId);
  expect(sources.find(({ path }) => path === '/0/gross')).toMatchObject({ text: '$89.00', ref: expect.any(String) });
  expect(sources.find(({ path }) => path === '/19/gross')).not.toHaveProperty('ref');
  const heard = stack.model.heard.map(({ body }) => JSON.stringify(body));
  expect(heard[0]).toContain('# What to return');
  expect(heard[3]).toContain('The result is incomplete');
  expect(heard).toHaveLength(6);
}, 120_000);

test('what is still missing after that round fails the task, and the error names it', async () => {
  stack.model.play(...leads(() => ['navigate', { url: `${stack.shop}/catalogue` }], extract, done, extract, done));
  const { sessionId } = await stack.client.start({
    steps: [{ task: 'List the offers', url: `${stack.shop}/catalogue`, result: { schema: OFFERS, pages: 1 } }],
    config: { executorConfig: { screenshotsEnabled: false } },
  });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error, result } = await stack.client.get(sessionId);
  expect(error).toMatchObject({ code: 'TL004', retryable: false, details: { kind: 'incomplete-result' } });
  expect(error!.message).toMatch(/^The result is incomplete: No row was found on .*\/catalogue/);
  expect(result).toBeNull();
  expect(stack.model.heard).toHaveLength(5);
}, 120_000);

test('a schema that is none is refused with the path of the wrong member, and nothing is started', async () => {
  const send = async (body: object): Promise<{ status: number; issues: { path: string; message: string }[] }> => {
    const response = await fetch(`${stack.api}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error: { details: { issues: [] } } };
    return { status: response.status, issues: error.details.issues };
  };
  const before = (await stack.client.list({ page: 1, pageSize: 1 })).total;
  const wrong = { type: 'object', properties: { price: { type: 'decimal' } } };
  expect(await send({ steps: ['Wait 1 second'], result: { schema: wrong } })).toMatchObject({
    status: 400,
    issues: [{ path: 'result.schema.properties.price.type' }],
  });
  const nested = { type: 'array', items: { type: 'object', required: 'name' } };
  expect(await send({ steps: ['Wait 1 second', { task: 'Do it', result: { schema: nested } }] })).toMatchObject({
    status: 400,
    issues: [{ path: 'steps[1].result.schema.items.required' }],
  });
  expect(await send({ steps: ['Wait 1 second'], result: { schema: { type: 'string' } } })).toMatchObject({
    status: 400,
    issues: [{ path: 'result.schema.type', message: expect.stringContaining('"object" or "array"') }],
  });
  expect((await stack.client.list({ page: 1, pageSize: 1 })).total).toBe(before);
});

describe('the command line', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'surefoot-results-'));
    writeFileSync(join(folder, 'products.json'), JSON.stringify({ ...PRODUCTS, maxItems: 20 }));
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify({ type: 'object', properties: { price: { type: 'x' } } }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (schema: string, ...args: string[]) =>
    runCli(
      ['run', '--model', 'rules', '--result-schema', join(folder, schema), ...args, `Open ${stack.shop}/catalogue`],
      {
        env: { SUREFOOT_HOME: stack.home },
      },
    );

  it('prints the result last, and with --json as `result` of the last line', async () => {
    const [plain, json] = [await run('products.json'), await run('products.json', '--json')];
    for (const { exitCode, stdout, stderr } of [plain, json])
      expect({ exitCode, stderr, log: exitCode === 0 ? '' : stdout }).toEqual({ exitCode: 0, stderr: '', log: '' });
    const printed = JSON.parse(plain.stdout.slice(plain.stdout.lastIndexOf('\n['))) as Product[];
    expect(printed).toHaveLength(20);
    expect(printed[0]).toEqual({
      name: expect.any(String),
      price: expect.any(Number),
      link: expect.stringContaining('/products/'),
    });
    const last = json.stdout.trimEnd().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ result: printed });
  }, 120_000);

  it('names the wrong member of a schema, and what is wrong with a file that is none', async () => {
    const wrong = await run('wrong.json');
    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.stderr).toContain('result.schema.properties.price.type');
    const missing = await run('nowhere.json');
    expect(missing.exitCode).not.toBe(0);
    expect(missing.stderr).toContain('nowhere.json');
  });
});

test('a page of the list that fails makes the result incomplete, and the error says which', async () => {
  const path = '/catalogue?page=4';
  const added = await fetch(`${stack.shop}/admin/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'error', path, times: 100 }),
  });
  expect(added.status).toBe(201);
  const { sessionId } = await stack.client.start({
    steps: [{ extract: 'all products with name, price and link', url: `${stack.shop}/catalogue` }],
    config: QUICK,
  });
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error, result } = await stack.client.get(sessionId);
  expect(error).toMatchObject({ code: 'TL004', details: { kind: 'incomplete-result' } });
  expect(error!.message).toContain(
    `The page ${stack.shop}${path} was answered with status 500, also when it was loaded again`,
  );
  expect(result).toBeNull();
  const kept = await stack.client.result(sessionId);
  expect(kept).toMatchObject({ isComplete: false, rows: { returned: 60 } });
  expect(kept.missing).toContainEqual(expect.objectContaining({ url: `${stack.shop}${path}` }));
  expect(kept.value).toHaveLength(60);
}, 120_000);
