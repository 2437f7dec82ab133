/** Which work froze a process: what is counted, and what is suspected where the thread did not say. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { NumberedWork } from '../../runtime/current-work';
import { suspectsOf } from '../../store/stalls/suspects';
import type { Store } from '../../store/store';
import { startTestStack, type TestStack } from '../support/stack';

let stack: TestStack;
let store: Store;
beforeAll(async () => {
  stack = await startTestStack();
  store = await stack.store();
}, 120_000);
afterAll(async () => {
  await stack.stop();
}, 60_000);

const stallOf = (workKey: string, isCertain: boolean) => ({
  stallId: randomUUID(),
  name: 'runCommands',
  workKey,
  isCertain,
  process: 'browser-worker',
  hostId: 'local',
  stack: isCertain ? 'at certain' : 'at possible',
});

test('stalls that ended by themselves do not count, those that did not are counted by work', async () => {
  const [key, other] = [randomUUID(), randomUUID()];
  const [slow, frozen, possible] = [stallOf(key, true), stallOf(key, true), stallOf(key, false)];
  for (const stall of [slow, frozen, frozen, possible, stallOf(other, false)]) await store.stalls.record(stall);
  await store.stalls.end([slow.stallId]);
  expect(await store.stalls.freezesOf(key)).toEqual({ certain: 1, possible: 2, stack: 'at certain' });
  expect(await store.stalls.frozenKeys()).toEqual(expect.arrayContaining([key, other]));
  expect(await store.stalls.freezesOf(randomUUID())).toEqual({ certain: 0, possible: 0, stack: '' });
});

test('work that has ended is not suspected: other work of its session is, else all that is under way', () => {
  const work = (number: number, sessionId: string): NumberedWork => ({ number, sessionId, name: `w${number}` });
  const [one, two, other] = [work(1, 'a'), work(2, 'a'), work(3, 'b')];
  const underWay = new Map([one, two, other].map((each) => [each.number, each]));
  expect(suspectsOf(one, underWay)).toEqual({ works: [one], isCertain: true });
  expect(suspectsOf(work(9, 'b'), underWay)).toEqual({ works: [other], isCertain: true });
  expect(suspectsOf(work(9, 'a'), underWay)).toEqual({ works: [one, two], isCertain: false });
  expect(suspectsOf(null, underWay)).toEqual({ works: [one, two, other], isCertain: false });
  expect(suspectsOf(null, new Map())).toEqual({ works: [], isCertain: false });
});

test('what a thread waited for a processor is known, so that a busy machine does not look like a stall', () => {
  const loop = 'const end = performance.now() + 400; while (performance.now() < end);';
  const program = `new Worker(${JSON.stringify(loop)}, { eval: true }); new Worker(${JSON.stringify(loop)}, { eval: true });
    setTimeout(() => { const before = processorWaitMs(); ${loop} console.log(processorWaitMs() - before); }, 50);`;
  const modules = `const { Worker } = require('node:worker_threads');
    const { processorWaitMs } = require(${JSON.stringify(join(__dirname, '../../dist/store/stalls/processor-wait.js'))});`;
  // Three threads on one processor.
  const printed = execFileSync('taskset', ['-c', '0', process.execPath, '-e', modules + program], { encoding: 'utf8' });
  expect(Number(printed)).toBeGreaterThan(50);
});
