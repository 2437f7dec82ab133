import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followAs } from '../../client/dialects';
import { followEvents } from '../../client/event-client';
import { tellAll, type Dialect } from '../../contracts/dialects/dialect';
import { DIALECTS, FORMATS } from '../../contracts/dialects/formats';
import { orderProblems } from '../../contracts/log-order';
import { payloadProblems } from '../../contracts/payloads';
import { ONE_OF_EACH, demoRequest, startWholeStack, type WholeStack } from '../support/whole-stack';

let stack: WholeStack;
beforeAll(async () => {
  stack = await startWholeStack({}, ONE_OF_EACH);
}, 120_000);
afterAll(() => stack.stop());

test('a real session followed in all four formats at once, over HTTP and in process: each equals its fold of the final log', async () => {
  const { sessionId } = await stack.client.start(demoRequest(stack, 'dialects'));
  const read = async (told: AsyncIterable<unknown>) => {
    const frames = [];
    for await (const one of told) frames.push(one);
    return frames;
  };
  const viewers = FORMATS.map(async (format) => ({
    format,
    wire: await read(followEvents(sessionId, format, { api: stack.api, retryMs: 100 })),
    inProcess: await read(followAs(stack.client, sessionId, format)),
  }));
  const log = await stack.logOf(sessionId, 110_000);
  expect([...orderProblems(log), ...payloadProblems(log)]).toEqual([]);
  for (const { format, wire, inProcess } of await Promise.all(viewers)) {
    const told = tellAll(DIALECTS[format] as Dialect<unknown, object>, log);
    expect(told.length).toBeGreaterThan(10);
    expect([format, inProcess]).toEqual([format, told]);
    expect([format, JSON.parse(JSON.stringify(wire))]).toEqual([format, JSON.parse(JSON.stringify(told))]);
  }
  if (process.env['RECORD_GOLDEN'] !== '1') return;
  const folder = join(__dirname, '..', 'contracts', 'golden', 'act-reflect');
  mkdirSync(folder, { recursive: true });
  // Where the shop stood, and how long things took, is of this machine and this day.
  const text = log.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, 'log.ndjson'), text.replaceAll(stack.shop, 'http://shop.test'));
}, 120_000);
