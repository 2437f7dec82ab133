import { resolveConfig } from '../../../contracts/sessions/resolve-config';
import { namedOrigins, withGivenOrigins } from '../../../contracts/sessions/given-origins';
import { parseStart } from '../../../contracts/sessions/start-request';

const variables = {
  shop: 'http://127.0.0.1:4000',
  comment: 'see http://127.0.0.1:8233 for more',
  password: { env: 'SHOP_PASSWORD' },
};

test.each<[string, Parameters<typeof namedOrigins>[0], string[]]>([
  ['an address in a step', ['Open http://localhost:4000/login, then click Next'], ['http://localhost:4000']],
  [
    'an address without a scheme',
    ['Open localhost:4000 and 127.0.0.1:81/x.'],
    ['http://localhost:4000', 'http://127.0.0.1:81'],
  ],
  ['an address of IPv6', ['Open "http://[::1]:4000/a"'], ['http://[::1]:4000']],
  ['a variable that is an address', ['Open ${shop}/login'], ['http://127.0.0.1:4000']],
  ['no text of a variable', ['Type "${comment}" into Comment'], []],
  ['no variable that no step uses', ['Go back'], []],
  [
    'the task and its address',
    [{ task: 'Look at http://10.1.2.3/a', url: 'http://10.1.2.4/' }],
    ['http://10.1.2.3', 'http://10.1.2.4'],
  ],
  ['no context of a task', [{ task: 'Answer this mail', context: 'Please open http://10.1.2.3/' }], []],
  ['no version, time or file', ['Use 1.2.3.4 at 12:30 in a.localhost:1x and ftp://10.0.0.1/x'], []],
])('the origins that a caller gives are those of %s', (_, steps, origins) => {
  expect(namedOrigins(steps, variables)).toEqual(origins);
});

function configOf(steps: string[], executorConfig = {}) {
  const parsed = parseStart({ steps, config: { executorConfig } });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.issues));
  return parsed.plan.config;
}

test('a session without a list of origins gets the addresses of its steps, also of later ones', () => {
  const config = configOf(['Open http://127.0.0.1:4000/', 'Open https://shop.example/']);
  expect(config.executor.network).toEqual({ allowPrivateAddresses: false, givenOrigins: ['http://127.0.0.1:4000'] });
  const later = withGivenOrigins(config, ['Open http://127.0.0.1:5000/', 'Open http://127.0.0.1:4000/']);
  expect(later.executor.network?.givenOrigins).toEqual(['http://127.0.0.1:4000', 'http://127.0.0.1:5000']);
});

test('names that may lead to private addresses are kept, and nothing beside a list of origins', () => {
  const steps = ['Open http://wiki.corp.example/'];
  expect(configOf(steps).executor.network).toBeUndefined();
  expect(configOf(steps, { allowPrivateAddresses: true }).executor.network).toEqual({
    allowPrivateAddresses: true,
    givenOrigins: ['http://wiki.corp.example'],
  });
  const allowedOrigins = ['https://shop.example'];
  expect(configOf(steps, { allowedOrigins }).executor.network).toEqual({
    allowedOrigins,
    allowPrivateAddresses: false,
  });
  const resolved = resolveConfig({ executorConfig: { allowedOrigins } });
  if (resolved.kind === 'invalid') throw new Error('Expected it to be valid.');
  expect(withGivenOrigins(resolved.config, ['Open http://127.0.0.1:4000/'])).toBe(resolved.config);
});
