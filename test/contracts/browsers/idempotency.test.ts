import { parseStart } from '../../../contracts/sessions/start-request';

const startWith = (idempotency: unknown) =>
  parseStart({ steps: ['Open a page'], config: { executorConfig: { idempotency } } });

test('there is no key unless it is asked for', () => {
  expect(startWith(undefined)).toMatchObject({ kind: 'valid' });
  expect(startWith(undefined)).not.toHaveProperty('plan.config.executor.idempotency');
});

test('the header is Idempotency-Key where no other is named', () => {
  const origins = ['https://shop.example', 'http://127.0.0.1:4000', 'https://shop.example'];
  expect(startWith({ origins })).toMatchObject({
    plan: { config: { executor: { idempotency: { header: 'Idempotency-Key', origins: origins.slice(0, 2) } } } },
  });
  expect(startWith({ header: 'X-Order-Key', origins })).toMatchObject({
    plan: { config: { executor: { idempotency: { header: 'X-Order-Key' } } } },
  });
});

test.each([
  [[], /name the origins/],
  [['https://shop.example/'], /expected an http or https origin .* here https:\/\/shop\.example$/],
  [['https://shop.example/orders'], /here https:\/\/shop\.example$/],
  [['https://Shop.example:443'], /here https:\/\/shop\.example$/],
  [['https://user@shop.example'], /here https:\/\/shop\.example$/],
  [['shop.example'], /such as https:\/\/shop\.example$/],
  [['*'], /such as/],
  [['https://*.shop.example'], /expected an http or https origin/],
  [['ftp://shop.example'], /such as/],
])('%j are no origins that can be used', (origins, message) => {
  const parsed = startWith({ origins });
  expect(parsed).toMatchObject({ kind: 'invalid', issues: [{ message: expect.stringMatching(message) }] });
  expect(JSON.stringify(parsed)).toContain('config.executorConfig.idempotency.origins');
});

test.each(['Cookie', 'authorization', 'Content-Type', 'Sec-Fetch-Site', 'Proxy-Authorization', 'Host', 'Origin'])(
  'the header can not be %s: it has a meaning of its own',
  (header) => {
    expect(startWith({ header, origins: ['https://shop.example'] })).toMatchObject({
      kind: 'invalid',
      issues: [
        { path: 'config.executorConfig.idempotency.header', message: expect.stringContaining('a meaning of its own') },
      ],
    });
  },
);

test.each(['', 'Two Words', 'Key:', 'Key\r\nCookie', 'Schlüssel'])(
  'the header can not be %j: it is no name',
  (header) => {
    expect(startWith({ header, origins: ['https://shop.example'] })).toMatchObject({
      kind: 'invalid',
      issues: [
        { path: 'config.executorConfig.idempotency.header', message: expect.stringContaining('name of a header') },
      ],
    });
  },
);
