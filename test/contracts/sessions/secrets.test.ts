import { isListedServer } from '../../../contracts/sessions/mailbox';
import {
  bareValueIssues,
  questionOf,
  secretPlans,
  secretValues,
  sourceIssues,
} from '../../../contracts/sessions/secrets';
import { parseStart } from '../../../contracts/sessions/start-request';

const ORIGINS = ['https://shop.example'];

function issuesFor(request: object): string[] {
  const parsed = parseStart({ steps: ['Go back'], ...request });
  return parsed.kind === 'invalid' ? parsed.issues.map(({ path, message }) => `${path}: ${message}`) : [];
}

test('the plan of a session has alias, origins and the name of the variable, and never a value', () => {
  const parsed = parseStart({
    steps: ['Go back'],
    secrets: { password: { value: 'hunter2', origins: ORIGINS }, token: { env: 'TOKEN', origins: ORIGINS } },
  });
  expect(parsed).toMatchObject({
    kind: 'valid',
    plan: { secrets: { password: { origins: ORIGINS }, token: { env: 'TOKEN', origins: ORIGINS } } },
  });
  expect(JSON.stringify(parsed.kind === 'valid' && parsed.plan)).not.toContain('hunter2');
});

test.each([
  ['no origin', { secrets: { a: { env: 'A', origins: [] } } }, 'secrets.a.origins'],
  [
    'an address instead of an origin',
    { secrets: { a: { env: 'A', origins: ['https://shop.example/login'] } } },
    'here https://shop.example',
  ],
  [
    'an origin with a star',
    { secrets: { a: { env: 'A', origins: ['https://*.shop.example'] } } },
    'secrets.a.origins[0]',
  ],
  [
    'the name of a variable',
    { secrets: { a: { env: 'A', origins: ORIGINS } }, variables: { a: 'b' } },
    'name of a variable too',
  ],
  [
    'an allowed origin that is none',
    { config: { executorConfig: { allowedOrigins: ['shop.example'] } } },
    'allowedOrigins[0]',
  ],
  [
    'stars in the middle',
    { config: { executorConfig: { allowedOrigins: ['https://a.*.example'] } } },
    'allowedOrigins[0]',
  ],
])('a request with %s is refused with the place named', (_, request, place) => {
  expect(issuesFor(request).join()).toContain(place);
});

test('a value or the name of a variable is wanted, and not both', () => {
  const of = (secret: object) => sourceIssues({ secrets: { a: { origins: ORIGINS, ...secret } } });
  expect([of({ value: 'v' }), of({ env: 'E' })]).toEqual([[], []]);
  expect([of({}), of({ value: 'v', env: 'E' })]).toMatchObject([[{ path: 'secrets.a' }], [{ path: 'secrets.a' }]]);
  expect([of({ totp: { value: 'v' } }), of({ totp: { env: 'E' } })]).toEqual([[], []]);
  expect([of({ totp: {} }), of({ totp: { env: 'E' }, env: 'E' })]).toMatchObject([
    [{ path: 'secrets.a.totp' }],
    [{ path: 'secrets.a' }],
  ]);
});

test('what a person is asked for has no other source, and its limit and kind go with the question', () => {
  const of = (secret: object) =>
    sourceIssues({ secrets: { a: { origins: ORIGINS, ...secret } } }).map(({ path, message }) => `${path}: ${message}`);
  expect(of({ ask: 'The code by SMS', within: '10m' })).toEqual([]);
  expect(of({ ask: 'The code', env: 'E' })).toEqual([expect.stringContaining('secrets.a.ask: a person is asked')]);
  expect(of({ within: '10m', env: 'E' })).toEqual([expect.stringContaining('go with ask alone')]);
  expect(issuesFor({ secrets: { a: { ask: 'The code', within: '31d', origins: ORIGINS } } })).toEqual([
    expect.stringContaining('expected at most 30d'),
  ]);
  const asked = { a: { ask: 'The link', as: 'link' as const, within: '2h', origins: ORIGINS } };
  expect(secretPlans({ secrets: asked })).toEqual(asked);
  expect(questionOf(asked.a)).toEqual({ ask: 'The link', as: 'link', withinMs: 7_200_000 });
  expect(questionOf({ ask: 'The code' })).toEqual({ ask: 'The code', as: 'code', withinMs: 3_600_000 });
});

test('a mailbox goes with a question, with one password, and no plain connection to another host', () => {
  const mailbox = { host: 'imap.acme.example', user: 'robot', password: { value: 'pw-1' }, from: '@acme.example' };
  const asked = (more: object) => ({
    secrets: { a: { ask: 'The code', origins: ORIGINS, mailbox: { ...mailbox, ...more } } },
  });
  expect(sourceIssues(asked({}))).toEqual([]);
  expect(sourceIssues(asked({ password: {} }))).toMatchObject([{ path: 'secrets.a.mailbox.password' }]);
  expect(sourceIssues({ secrets: { a: { env: 'E', origins: ORIGINS, mailbox } } })).toMatchObject([
    { path: 'secrets.a', message: expect.stringContaining('go with ask alone') as string },
  ]);
  expect(issuesFor(asked({ tls: false }))).toEqual([expect.stringContaining('secrets.a.mailbox.tls: expected true')]);
  expect(issuesFor(asked({ from: 'acme.example' }))).toEqual([expect.stringContaining('all of a domain')]);
  expect(bareValueIssues(asked({}))).toMatchObject([{ path: 'secrets.a.mailbox.password.value' }]);
  expect([secretValues(asked({})), secretPlans(asked({})).a?.mailbox?.password]).toEqual([{ a: 'pw-1' }, {}]);
  const isListed = (list: string[], port?: number) => isListedServer(list, { host: 'IMAP.acme.example', port });
  expect([isListed(['imap.acme.example']), isListed(['imap.acme.example'], 143)]).toEqual([true, true]);
  expect([isListed(['imap.acme.example'], 1993), isListed(['imap.acme.example:1993'], 1993)]).toEqual([false, true]);
  expect([isListed([]), isListed(['acme.example'])]).toEqual([false, false]);
});

test('an input of the workflow must not have a value, and what is made for it has none', () => {
  const given = { secrets: { a: { value: 'hunter2', origins: ORIGINS } } };
  expect(bareValueIssues(given)).toMatchObject([{ path: 'secrets.a.value' }]);
  expect(bareValueIssues({ secrets: secretPlans(given) })).toEqual([]);
  expect(secretValues(given)).toEqual({ a: 'hunter2' });
  const seed = { secrets: { a: { totp: { value: 'SEED' }, origins: ORIGINS } } };
  expect(bareValueIssues(seed)).toMatchObject([{ path: 'secrets.a.totp.value' }]);
  expect(secretPlans(seed)).toEqual({ a: { totp: {}, origins: ORIGINS } });
});
