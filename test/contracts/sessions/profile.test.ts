import { sessionProfile } from '../../../contracts/sessions/profile';
import { parseStart } from '../../../contracts/sessions/start-request';

const URL = 'http://127.0.0.1:4000/account';

function issuesOf(profile: unknown): { path: string }[] {
  const parsed = parseStart({ steps: ['Open the shop'], profile });
  return parsed.kind === 'invalid' ? parsed.issues : [];
}

test('a profile is a name, or a name with options; what names none is refused with its path', () => {
  expect(issuesOf('acme-admin')).toEqual([]);
  expect(issuesOf({ name: 'acme-admin', whenInUse: 'copy' })).toEqual([]);
  expect(sessionProfile('acme-admin')).toEqual({ name: 'acme-admin', whenInUse: 'wait' });
  for (const wrong of ['', '../acme', 'a b', { name: 'acme', whenInUse: 'steal' }, { whenInUse: 'wait' }, 7])
    expect(issuesOf(wrong)[0]?.path).toMatch(/^profile/);
});

test('a session whose browser is another one takes no profile', () => {
  const agent = { executor: 'client', clientQueue: 'queue' };
  const parsed = parseStart({ steps: [{ task: 'Buy a bean' }], profile: 'acme', config: { agent } });
  expect(parsed).toMatchObject({ kind: 'invalid', issues: [{ path: 'profile' }] });
});

test('login steps without what they are to lead to are refused', () => {
  expect(issuesOf({ name: 'acme', login: ['Open the login'] })).toMatchObject([{ path: 'profile.signedIn' }]);
  expect(issuesOf({ name: 'acme', signedIn: { url: 'file:///etc', text: 'x' } })[0]?.path).toMatch(/^profile/);
});

test('a session that knows how to sign in has that as its first step, and reaches its addresses', () => {
  const parsed = parseStart({
    steps: ['Click "Orders"'],
    profile: { name: 'acme', signedIn: { url: URL, text: 'Sign out' }, login: ['Open http://127.0.0.1:4001/login'] },
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  const { steps, profile, config } = parsed.plan;
  expect(steps.map(({ instruction, signIn }) => [instruction, signIn])).toEqual([
    ['Sign in with the profile acme', true],
    ['Click "Orders"', undefined],
  ]);
  expect(profile!.signIn!.check).toMatchObject({
    instruction: `Open ${URL}, then expect "Sign out"`,
    options: { aiConfig: { model: 'rules' } },
  });
  expect(config.executor.network!.givenOrigins).toEqual(['http://127.0.0.1:4000', 'http://127.0.0.1:4001']);
});
