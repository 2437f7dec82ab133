import { BROWSER_TOOLS, REMOTE_BROWSER_TOOLS } from '../../../contracts/tools/browser-tools';
import type { AgentConfigInput } from '../../../contracts/tasks/agent-config';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { parseStart } from '../../../contracts/sessions/start-request';
import type { Store } from '../../../store/store';
import { aSession } from '../../support/builders';
import { aToolRegistry } from '../../support/engine-tools';
import { startTestStack, type TestStack } from '../../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack({ parts: ['postgres'] });
  store = await stack.store();
});
afterAll(() => stack.stop());

const LOOK: PageSnapshot = {
  snapshotId: 'l',
  url: 'https://shop.test/',
  title: 'Shop',
  tabs: [],
  nodes: [{ role: 'button', name: 'Delete', ref: 'e1' }],
};

async function aTask(agent: AgentConfigInput = {}): Promise<string> {
  const parsed = parseStart({ steps: [{ task: 'See https://news.test/ and report' }], config: { agent } });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  const sessionId = await aSession(store, { plan: parsed.plan, runId: 'run-1' });
  await store.memory.saveSnapshot(sessionId, {}, LOOK);
  return sessionId;
}

test('a session is offered all tools in one order, or those that its configuration names', async () => {
  const { toolRegistry } = aToolRegistry(store);
  const all = await toolRegistry.declarations(await aTask());
  expect(all.map(({ name }) => name)).toEqual(Object.keys(BROWSER_TOOLS));
  expect(all.every(({ parameters }) => parameters.type === 'object')).toBe(true);
  const some = await toolRegistry.declarations(await aTask({ tools: ['find', 'read_page'] }));
  expect(some.map(({ name }) => name)).toEqual(['read_page', 'find']);
  const own = {
    name: 'mail',
    description: 'Sends a mail',
    parameters: { type: 'object', properties: { to: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
  };
  const client = await toolRegistry.declarations(
    await aTask({ executor: 'client', clientQueue: 'q', clientTools: [own] }),
  );
  expect(client.map(({ name }) => name)).toEqual([...REMOTE_BROWSER_TOOLS, 'mail']);
  expect(client.at(-1)?.parameters).toEqual({ type: 'object', properties: { to: { type: 'string' } } });
});

test('[S2.A7, S2.A17] calls that are no JSON, fit no schema or name no tool are planned as refused', async () => {
  const { toolRegistry } = aToolRegistry(store);
  const place = { sessionId: await aTask(), stepIndex: 0, turn: 0 };
  const calls = [
    { callId: 'c0', name: 'find', args: '{"query": ' },
    { callId: 'c1', name: 'find', args: '[1]' },
    { callId: 'c2', name: 'find', args: '' },
    { callId: 'c3', name: 'fly', args: '{}' },
    { callId: 'c4', name: 'find', args: '{"query": "x"}' },
  ];
  const planned = await toolRegistry.plan(place, calls);
  const messages = planned.map(({ run }) => (run.kind === 'refused' ? run.message : run.kind));
  expect(messages).toEqual([
    expect.stringMatching(/validation failed for find: expected JSON, got text that is none/),
    expect.stringMatching(/validation failed for find: expected a JSON object of arguments, got a list/),
    expect.stringMatching(/validation failed for find: query/),
    expect.stringMatching(/“fly” not found in registry/),
    'browser',
  ]);
  const end = { callId: 'c0', status: 'error' as const, message: messages[0]! };
  expect(await toolRegistry.resultOf(place, calls[0]!, end)).toEqual([{ kind: 'text', text: messages[0] }]);
  expect(planned[4]).toMatchObject({ run: { command: { commandId: `${place.sessionId}.0.0.4` } } });
});

test('an object without a schema of its vendor that came as JSON text reaches its tool as an object', async () => {
  const own = {
    name: 'ticket',
    description: 'Creates a ticket',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        labels: { type: 'object' },
        links: { type: 'array', items: { type: 'object' } },
      },
      required: ['labels'],
    },
  };
  const { toolRegistry } = aToolRegistry(store);
  const sessionId = await aTask({ executor: 'client', clientQueue: 'q', clientTools: [own] });
  const args = JSON.stringify({ title: '{"a": 1}', labels: '{"team": "beans"}', links: ['{"to": 7}'] });
  const wrong = JSON.stringify({ labels: 'beans' });
  const [good, bad] = await toolRegistry.plan({ sessionId, stepIndex: 0, turn: 0 }, [
    { callId: 'c0', name: 'ticket', args },
    { callId: 'c1', name: 'ticket', args: wrong },
  ]);
  expect(good).toMatchObject({
    run: { kind: 'client' },
    args: { title: '{"a": 1}', labels: { team: 'beans' }, links: [{ to: 7 }] },
  });
  expect(bad!.run).toMatchObject({ kind: 'refused', message: expect.stringContaining('labels') });
});

test('a selector in place of a ref is refused with the words by which find gives the ref', async () => {
  const { toolRegistry } = aToolRegistry(store);
  const place = { sessionId: await aTask(), stepIndex: 0, turn: 0 };
  const refs = ['tr:has-text("Bean 17") >> role=button', 'the button'];
  const calls = refs.map((ref, index) => ({
    callId: `c${index}`,
    name: 'computer',
    args: JSON.stringify({ action: 'left_click', ref }),
  }));
  const messages = (await toolRegistry.plan(place, calls)).map(({ run }) => run.kind === 'refused' && run.message);
  expect(messages).toEqual([
    expect.stringContaining('find with the query “Bean 17” shows those'),
    expect.stringContaining('read_page and find show those of this page'),
  ]);
});

test('the same reply is planned the same however often, and anew with arguments that a person has edited', async () => {
  const { toolRegistry } = aToolRegistry(store);
  const place = { sessionId: await aTask(), stepIndex: 0, turn: 3 };
  const calls = [{ callId: 'c0', name: 'navigate', args: '{"url": "https://elsewhere.test/"}' }];
  const [first] = await toolRegistry.plan(place, calls);
  expect(await toolRegistry.plan(place, calls)).toEqual([first]);
  expect(await toolRegistry.replan(place, 'c0', undefined)).toEqual(first);
  expect(first).toMatchObject({ classification: 'external', navigatesTo: 'https://elsewhere.test/' });
  const edited = await toolRegistry.replan(place, 'c0', { url: 'https://news.test/' });
  expect(edited).toMatchObject({ callId: 'c0', classification: 'write', args: { url: 'https://news.test/' } });
  expect(edited.hash).not.toBe(first!.hash);
  expect((await store.toolCalls.get(place.sessionId, 'c0'))?.args).toEqual({ url: 'https://news.test/' });
});

test('a page that changed during an approval gives the call another hash', async () => {
  const { toolRegistry } = aToolRegistry(store);
  const place = { sessionId: await aTask(), stepIndex: 0, turn: 0 };
  const [asked] = await toolRegistry.plan(place, [
    { callId: 'c0', name: 'computer', args: '{"action": "left_click", "ref": "e1"}' },
  ]);
  expect(asked).toMatchObject({ classification: 'destructive', card: { type: 'info' } });
  await store.memory.saveShownSnapshot(place.sessionId, LOOK);
  const row = (text: string) => ({ role: 'row', children: [text, { role: 'button', name: 'Delete', ref: 'e1' }] });
  const hashes = [asked!.hash];
  for (const nodes of [[row('Ada')], [row('Eve')]]) {
    await store.memory.saveSnapshot(place.sessionId, {}, { ...LOOK, nodes });
    hashes.push((await toolRegistry.replan(place, 'c0', undefined)).hash);
  }
  expect(new Set(hashes).size).toBe(3);
  await store.memory.saveSnapshot(place.sessionId, {}, { ...LOOK, url: 'https://shop.test/other' });
  expect(await toolRegistry.replan(place, 'c0', undefined)).toMatchObject({ run: { kind: 'refused' } });
});
