import { describeEffect, stepOnce, type Effect } from '../../../contracts/sessions/once';
import { givenRequestOf } from '../../../contracts/sessions/given-request';
import { parseStart } from '../../../contracts/sessions/start-request';

const pay = (key: string) => ({ instruction: 'Click "Pay"', once: { key } });

function issuesOf(request: object): string[] {
  const parsed = parseStart({ steps: [pay('invoice-${invoice}')], ...request });
  return parsed.kind === 'valid' ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
}

test('a key with an empty variable, a value of the workers or a secret is refused at the start', () => {
  expect(issuesOf({ variables: { invoice: '4711' } })).toEqual([]);
  expect(issuesOf({ variables: { invoice: ' ' } })).toEqual([
    'steps[0].once.key: the variable invoice is empty, so the key would stand for every one without it',
  ]);
  expect(issuesOf({ variables: { invoice: { env: 'INVOICE' } } })).toEqual([
    expect.stringContaining('kept to the workers'),
  ]);
  expect(issuesOf({ secrets: { invoice: { origins: ['https://bank.test'], value: 'x' } } })).toEqual([
    expect.stringContaining('invoice is a secret'),
  ]);
  expect(issuesOf({ steps: ['look'], config: { once: { key: 'k-${invoice}' } }, variables: { invoice: '' } })).toEqual([
    expect.stringContaining('config.once.key: the variable invoice is empty'),
  ]);
});

test.each(['', ' ', 'k'.repeat(201)])('a key of %j is refused', (key) => {
  expect(issuesOf({ steps: [pay(key)] })).toHaveLength(1);
});

test.each(['0d', '400', '-1h', '1.5d', 'forever', '100000d'])('a time of %j is refused', (within) => {
  expect(issuesOf({ steps: [{ instruction: 'Click "Pay"', once: { key: 'k', within } }] })).toEqual([
    expect.stringContaining('expected hours or days'),
  ]);
});

test('a step has its own key or that of the session, and its request is given back as it was', () => {
  const parsed = parseStart({
    steps: [pay('own'), 'look', { task: 'pay it', once: { key: 'task', within: '36h', whenDone: 'fail' } }],
    config: { once: { key: 'all' } },
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  expect(parsed.plan.steps.map(({ once }) => once)).toEqual([
    stepOnce({ key: 'own' }, 'step'),
    stepOnce({ key: 'all' }, 'session'),
    { key: 'task', withinMs: 36 * 3_600_000, whenDone: 'fail', covers: 'step' },
  ]);
  const { steps, config } = givenRequestOf(parsed.plan);
  const again = parseStart({ steps, config: { once: config.once } });
  expect(again.kind === 'valid' && again.plan.steps.map(({ once }) => once)).toEqual(
    parsed.plan.steps.map(({ once }) => once),
  );
});

const effect: Effect = {
  effectId: 17,
  tenant: 'default',
  origin: 'https://bank.test',
  key: 'invoice-4711',
  state: 'done',
  sessionId: 's1',
  stepIndex: 1,
  title: 'Nightly payments',
  evidence: [
    {
      action: 'CLICK_ELEMENT',
      target: 'Pay',
      status: 'done',
      at: new Date(0),
      url: 'https://bank.test/4711',
      requests: [{ method: 'POST', url: 'https://bank.test/pay', status: 303 }],
    },
  ],
  claimedAt: new Date('2026-11-01T03:00:00Z'),
  settledAt: new Date('2026-11-01T03:00:05Z'),
};

test('a person reads who has done it, when, and what was sent', () => {
  expect(describeEffect(effect)).toBe(
    '“invoice-4711” at https://bank.test was done by session s1 (Nightly payments), step 2 on 2026-11-01T03:00:05.000Z. It sent POST https://bank.test/pay (303).',
  );
  expect(describeEffect({ ...effect, state: 'unknown' })).toContain(
    'which failed on 2026-11-01T03:00:05.000Z, and it may have happened.',
  );
});
