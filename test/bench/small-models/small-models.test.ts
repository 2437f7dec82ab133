import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingNames } from '../../../cli/eval/run-all';
import { kindOf, readSuites } from '../../../bench/small-models/cases';
import { joinParts } from '../../../bench/small-models/join-parts';
import { openWire } from '../../../bench/small-models/wire';
import { repairMessages } from '../../../activities/engine/models/prompts/repair';

const ALL = { kinds: [], limit: 1000, isWanted: { decisions: true, flows: true } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'small-models-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('parts are joined in the order given, and bytes of another sum leave no file', async () => {
  const parts = ['part9', 'part10'].map((name, index) => {
    writeFileSync(join(folder, name), index === 0 ? 'GGUF' : ' weights');
    return join(folder, name);
  });
  const sum = createHash('sha256').update('GGUF weights').digest('hex');
  const whole = join(folder, 'whole.gguf');
  await joinParts(parts, whole, sum);
  expect(readFileSync(whole, 'utf8')).toBe('GGUF weights');
  await expect(joinParts(parts.toReversed(), join(folder, 'other.gguf'), sum)).rejects.toThrow(`and not ${sum}`);
  expect(readdirSync(folder).toSorted()).toEqual(['part10', 'part9', 'whole.gguf']);
});

test('there are 40 decisions of one step and 15 flows of eight kinds together, each on a known site', () => {
  const suites = readSuites(ALL);
  expect(suites.map(({ name, cases }) => [name, cases.length])).toEqual([
    ['decisions', 40],
    ['flows', 15],
  ]);
  expect(suites[0]!.cases.filter(({ steps }) => steps?.length !== 1)).toEqual([]);
  const kinds = new Set(suites.flatMap(({ cases }) => cases.map(({ name }) => kindOf(name))));
  expect([...kinds]).toEqual(['act', 'judge', 'goal', 'choose', 'read', 'refuse', 'error shown', 'task']);
  for (const { file, cases } of suites) expect(missingNames({ file, cases, names: { shop: '' } })).toEqual([]);
});

test('a short run has some cases of the kinds asked for, and an unknown kind is a sentence', () => {
  const short = readSuites({ ...ALL, kinds: ['act', 'task'], limit: 2 });
  expect(short.map(({ cases }) => cases.map(({ name }) => kindOf(name)))).toEqual([
    ['act', 'act'],
    ['act', 'act', 'task', 'task'],
  ]);
  expect(() => readSuites({ ...ALL, kinds: ['sing'] })).toThrow('There is no kind “sing”; there are: act, judge');
});

test('the wire passes a request and its answer on, and counts the replies that were sent back', async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: [DONE]\n\n');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const wire = await openWire(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  try {
    const post = async (messages: object[]): Promise<string> => {
      const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify({ messages }) };
      return await (await fetch(`${wire.url}/chat/completions`, sent)).text();
    };
    const [, ...repair] = repairMessages([], 'Sure!', ['expected one JSON object']);
    const content = repair.flatMap((message) => ('parts' in message ? message.parts : []));
    const said = [
      { role: 'user', content: 'Click it' },
      { role: 'assistant', content: 'Sure!' },
    ];
    expect(await post(said.slice(0, 1))).toBe('data: [DONE]\n\n');
    expect(wire.sentBack()).toBe(0);
    await post([...said, { role: 'user', content }]);
    expect(wire.sentBack()).toBe(1);
    expect(heard).toEqual(Array.from({ length: 2 }, () => 'POST /v1/chat/completions Bearer key'));
  } finally {
    await wire.stop();
    server.close();
  }
});
