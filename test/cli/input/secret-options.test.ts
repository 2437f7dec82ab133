import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../../../cli/context/exit';
import { collectSecret, collectSeed, readSecrets } from '../../../cli/input/secret-options';

const OPTION = 'password=SHOP_PASSWORD@https://shop.example,https://login.example:8443';

test('a secret is read from the environment, with its origins', () => {
  expect(readSecrets(collectSecret(OPTION), undefined, { SHOP_PASSWORD: 'hunter2' })).toEqual({
    password: { value: 'hunter2', origins: ['https://shop.example', 'https://login.example:8443'] },
  });
});

test('a seed is read as a secret is, and its codes are typed', () => {
  expect(
    readSecrets(collectSeed('code=SHOP_SEED@https://shop.example'), undefined, { SHOP_SEED: 'SEED OF ADA' }),
  ).toEqual({
    code: { totp: { value: 'SEED OF ADA' }, origins: ['https://shop.example'] },
  });
});

test('or from a file in the format of .env, which wins', () => {
  const folder = mkdtempSync(join(tmpdir(), 'env-'));
  writeFileSync(join(folder, '.env'), '# of the shop\nSHOP_PASSWORD="from the file"\n');
  const secrets = readSecrets(collectSecret(OPTION), join(folder, '.env'), { SHOP_PASSWORD: 'hunter2' });
  rmSync(folder, { recursive: true });
  expect(secrets['password']?.value).toBe('from the file');
});

test('a variable that is not set is named, and so is a missing file', () => {
  expect(() => readSecrets(collectSecret(OPTION), undefined, {})).toThrow(/SHOP_PASSWORD, which is not set/);
  expect(() => readSecrets([], '/nowhere/.env', {})).toThrow(CliError);
});

test('an invalid option is not repeated in the error, because it may contain the secret', () => {
  expect(() => collectSecret('password=hunter2')).toThrow(/^Expected alias=ENV@origin/);
});
