/** Secrets from a Vault by the whole product: read at the browser, tried again while it is away, and kept nowhere. */
import { join } from 'node:path';
import { everyRow } from '../support/every-row';
import { startSentCodeSite, type SentCodeSite } from '../support/sent-code-site';
import { filesIn, textsIn } from '../support/texts-in';
import { startVaultServer, type VaultServer } from '../support/vault-server';
import { endOf, ONE_OF_EACH, startWholeStack, type WholeStack } from '../support/whole-stack';

jest.setTimeout(180_000);

const ROLE = { roleId: 'role-1', secretId: 'half-of-a-key' };
const VALUE = 'from-vault-7731';
let stack: WholeStack;
let site: SentCodeSite;
let vault: VaultServer;
beforeAll(async () => {
  [site, vault] = await Promise.all([startSentCodeSite(), startVaultServer(ROLE)]);
  vault.secrets.set('secret/data/acme', { code: VALUE });
  const env = {
    VAULT_ADDR: vault.url,
    VAULT_ROLE_ID: ROLE.roleId,
    VAULT_SECRET_ID: ROLE.secretId,
    SUREFOOT_SECRET_REFERENCES: 'vault:secret/data/acme*',
    LOG_LEVEL: 'debug',
  };
  stack = await startWholeStack(env, ONE_OF_EACH);
}, 180_000);
afterAll(async () => {
  site.close();
  vault.close();
  await stack.stop();
}, 60_000);

const start = (from: string) =>
  fetch(`${stack.api}/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      steps: [`Open ${site.url}/`, 'Type "${code}" into Code and click "Verify"', 'Expect "Signed in"'],
      secrets: { code: { from, origins: [site.url] } },
      config: { aiConfig: { model: 'rules' } },
    }),
  });

async function idOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { data: { sessionId: string } }).data.sessionId;
}

test('a secret is typed whose Vault was sealed and away at first, and no history, row, file or log has it', async () => {
  site.codes.add(VALUE);
  vault.troubles.push(503, 'no-answer');
  const sessionId = await idOf(await start('vault:secret/data/acme#code'));
  expect(await endOf(stack, sessionId)).toBe('COMPLETED');
  expect(site.arrived).toEqual([{ value: VALUE, isRight: true }]);
  expect(vault.troubles).toEqual([]);
  const history = await stack.engineTemporal.workflow.getHandle(sessionId).fetchHistory();
  const places: Record<string, string[]> = {
    history: textsIn(history),
    tables: await everyRow(stack.databaseUrl),
    artifacts: filesIn(join(stack.home, 'artifacts')),
    output: filesIn(join(stack.home, 'logs')),
    log: [JSON.stringify(await stack.logOf(sessionId))],
  };
  for (const [place, texts] of Object.entries(places))
    for (const hidden of [VALUE, ROLE.secretId])
      expect({ place, found: texts.filter((text) => text.includes(hidden)) }).toEqual({ place, found: [] });
});

test('a key that is not there fails the session with a sentence, and other places are refused at once', async () => {
  const sessionId = await idOf(await start('vault:secret/data/acme#none'));
  expect(await endOf(stack, sessionId)).toBe('FAILED');
  const { error } = await stack.client.get(sessionId);
  expect(error?.message).toContain('vault:secret/data/acme#none');
  expect(error?.message).toContain('no text under the key none');
  const other = await start('vault:secret/data/other#code');
  expect([other.status, await other.text()]).toEqual([403, expect.stringContaining('SUREFOOT_SECRET_REFERENCES')]);
  const up = await start('vault:secret/data/acme/../other#code');
  expect([up.status, await up.text()]).toEqual([400, expect.stringContaining('expected a reference such as')]);
});
