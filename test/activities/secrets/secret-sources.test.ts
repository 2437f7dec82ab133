/** Secret managers as browser workers read them. Vault is a server that answers as its API is documented. */
import { createOfficialClients } from '../../../activities/secrets/sources/official-clients';
import { createVault } from '../../../activities/secrets/sources/vault';
import { SECRET_SOURCES } from '../../../runtime/settings/secret-source-definitions';
import { readGroup } from '../../../runtime/settings/setting';
import { startVaultServer, type VaultServer } from '../../support/vault-server';

const ROLE = { roleId: 'role-1', secretId: 'half-of-a-key' };
let vault: VaultServer;
beforeAll(async () => {
  vault = await startVaultServer(ROLE);
  vault.secrets.set('secret/data/acme', { password: 'hunter2!', port: 22 });
  vault.secrets.set('secret/data/gone', null);
});
afterAll(() => vault.close());

const settingsOf = (env: Record<string, string>) => readGroup(SECRET_SOURCES, env).secretSources;
const byRole = () =>
  createVault(settingsOf({ VAULT_ADDR: vault.url, VAULT_ROLE_ID: ROLE.roleId, VAULT_SECRET_ID: ROLE.secretId }));
const forAWhile = () => AbortSignal.timeout(20_000);

test('a value is read with the token of a role, which is asked for again when it has ended', async () => {
  const source = byRole();
  expect(await source.read('vault:secret/data/acme#password', forAWhile())).toBe('hunter2!');
  expect(await source.read('vault:secret/data/acme#password', forAWhile())).toBe('hunter2!');
  expect(vault.logins).toBe(1);
  vault.expireTokens();
  expect(await source.read('vault:secret/data/acme#password', forAWhile())).toBe('hunter2!');
  expect(vault.logins).toBe(2);
});

test.each([
  ['no such secret', 'vault:secret/data/none#password', 'no such secret, or no version'],
  ['a deleted version', 'vault:secret/data/gone#password', 'no such secret, or no version'],
  ['another key', 'vault:secret/data/acme#word', 'no text under the key word'],
  ['a value that is no text', 'vault:secret/data/acme#port', 'no text under the key port'],
])('%s is an error that stays, in a sentence without a value', async (_, reference, sentence) => {
  const error: unknown = await byRole()
    .read(reference, forAWhile())
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'SM002', more: { isFinal: true } });
  expect(String(error)).toContain(`The secret ${reference} can't be read`);
  expect(String(error)).toContain(sentence);
  expect(JSON.stringify(error)).not.toContain('hunter2');
});

test('a sealed Vault is worth another try, a refused token and a missing address are not', async () => {
  const read = (source: ReturnType<typeof byRole>) =>
    source.read('vault:secret/data/acme#password', forAWhile()).catch((reason: unknown) => reason);
  vault.troubles.push(503);
  expect(await read(byRole())).toMatchObject({
    message: expect.stringContaining('sealed') as string,
    more: { isWorthAnotherTry: true },
  });
  const withToken = createVault(settingsOf({ VAULT_ADDR: vault.url, VAULT_TOKEN: 'hvs.other' }));
  expect(await read(withToken)).toMatchObject({
    message: expect.stringContaining('no policy allows it') as string,
    more: { isFinal: true },
  });
  const bare = createVault(settingsOf({}));
  expect(await read(bare)).toMatchObject({ message: expect.stringContaining('VAULT_ADDR is not set') as string });
  const wrong = createVault(settingsOf({ VAULT_ADDR: vault.url, VAULT_ROLE_ID: 'role-1', VAULT_SECRET_ID: 'none' }));
  expect(await read(wrong)).toMatchObject({ message: expect.stringContaining('refused the AppRole') as string });
});

test('a manager whose package is not installed says which one to install', async () => {
  const sources = createOfficialClients(settingsOf({ OP_SERVICE_ACCOUNT_TOKEN: 't', BWS_ACCESS_TOKEN: 't' }));
  const said = await Promise.all(
    sources.map(({ prefix, read }) => read(`${prefix}x`, forAWhile()).catch((error: unknown) => String(error))),
  );
  expect(said).toEqual([
    expect.stringContaining('npm install @1password/sdk'),
    expect.stringContaining('npm install @bitwarden/sdk-napi'),
    expect.stringContaining('npm install @google-cloud/secret-manager'),
  ]);
});
