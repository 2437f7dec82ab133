import { join } from 'node:path';
import { missingNames } from '../../../cli/eval/run-all';
import { parseEvalFile } from '../../../cli/eval/read-eval-file';
import { stateProblem } from '../../../cli/eval/server-state';
import { serveSite, type Site } from '../../../cli/eval/site';
import { successRate, summarize } from '../../../cli/eval/summary';
import type { EvalRun } from '../../../cli/eval/eval-result';
import { matches } from '../../../cli/eval/pattern';
import { failureLines, reportLink } from '../../../cli/render/eval-text';

// The bounds are those of Brown, Cai and DasGupta's definition, computed by hand to four places.
test.each([
  [0, 10, 0, 0.2775],
  [9, 10, 0.5958, 0.9821],
  [30, 30, 0.8865, 1],
  [50, 100, 0.4038, 0.5962],
])('%d of %d successes have the Wilson interval from %d to %d', (passed, runs, low, high) => {
  const rate = successRate(passed, runs);
  expect(rate.low).toBeCloseTo(low, 4);
  expect(rate.high).toBeCloseTo(high, 4);
});

const run = (model: string, change: Partial<EvalRun> = {}): EvalRun => ({
  case: 'One',
  model,
  repeat: 1,
  usage: { calls: 2, inputTokens: 900, outputTokens: 100, cachedTokens: 500, cost: '0.1', unpricedCalls: 0 },
  durationMs: 1000,
  ...change,
});

test('models stand side by side with exact money, and a success that a check denies is a false one', () => {
  const runs = [
    run('a'),
    run('a', { failure: { kind: 'state', message: 'no order' } }),
    run('a', { failure: { kind: 'failed', message: 'lost' } }),
    run('b'),
  ];
  expect(summarize(runs)).toMatchObject([
    { model: 'a', passed: 1, runs: 3, falseSuccesses: 1, calls: 6, cost: '0.3', failures: { state: 1, failed: 1 } },
    { model: 'b', passed: 1, runs: 1, falseSuccesses: 0, failures: {} },
  ]);
});

test('what did not succeed is listed by kind, each with the way to its report', () => {
  const failed = run('a', { sessionId: 's1', failure: { kind: 'state', message: 'no order' } });
  expect(failureLines([run('a'), failed], (id) => reportLink('http://127.0.0.1:3000', id))).toEqual([
    'state: the model reported success, and the server says otherwise (1)',
    '  One, a, run 1  http://127.0.0.1:3000/v1/sessions/s1/report',
  ]);
});

test('texts are compared as people read them, and patterns exactly', () => {
  expect(matches('Order  number SF-1001', 'order number')).toBe(true);
  expect(matches('SF-1001', '/^SF-\\d+$/')).toBe(true);
  expect(matches('sf-1001', '/^SF-\\d+$/')).toBe(false);
});

test('a name in an address that nothing fills in is found before anything runs', () => {
  const file = parseEvalFile(
    'sites: { office: office }\ncases: [{ name: One, task: Go, start: "${office}/x", expect: { state: [{ get: "${bank}/y?${run}", count: 0 }] } }]',
    'jobs.yaml',
  );
  expect(missingNames({ file, names: {}, cases: file.cases })).toEqual(['bank']);
});

describe('a site of a file', () => {
  let site: Site;
  beforeAll(async () => {
    site = await serveSite(join(__dirname, '..', '..', '..', 'examples', 'eval', 'office'));
  });
  afterAll(() => site.close());

  test('serves pages, and remembers what forms and scripts send', async () => {
    expect(await (await fetch(`${site.url}/booking.html`)).text()).toContain('<h1>Book a room</h1>');
    expect((await fetch(`${site.url}/../cases.yaml`)).status).toBe(404);
    const sent = new URLSearchParams({ room: 'Curie', next: '/booked.html' });
    const answer = await fetch(`${site.url}/records/bookings`, { method: 'POST', body: sent, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/booked.html']);
    expect(await stateProblem({ get: `${site.url}/records/bookings`, equals: [{ room: 'Curie' }] })).toBeUndefined();
  });

  test('another state is reported with what was expected and what there is', async () => {
    const get = `${site.url}/records/none`;
    expect(await stateProblem({ get, count: 1 })).toBe(`${get}: expected 1 entries, got 0`);
    expect(await stateProblem({ get, at: '0.room', equals: 'Curie' })).toBe(
      `0.room of ${get}: expected "Curie", got nothing`,
    );
    expect(await stateProblem({ get: `${site.url}/none.html`, count: 1 })).toBe(
      `${site.url}/none.html answered with status 404`,
    );
  });
});
