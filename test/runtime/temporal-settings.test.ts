import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localTemporalEnv, readTemporalSettings } from '../../runtime/settings/temporal';

const STACK = { supervisorPid: 1, databaseUrl: 'postgres://127.0.0.1/surefoot', temporalAddress: '127.0.0.1:7233' };
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'surefoot-temporal-'))));
afterAll(() => rmSync(folder, { recursive: true }));

test('address, namespace, TLS and API key are read from the variables of the Temporal SDKs', () => {
  const cert = join(folder, 'ca.pem');
  writeFileSync(cert, 'a certificate');
  const settings = readTemporalSettings({
    TEMPORAL_ADDRESS: 'temporal.example:7233',
    TEMPORAL_NAMESPACE: 'team',
    TEMPORAL_API_KEY: 'the-key',
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: cert,
    TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
  });
  expect(settings).toMatchObject({
    address: 'temporal.example:7233',
    namespace: 'team',
    security: { apiKey: 'the-key' },
  });
  expect(settings?.security.tls).toMatchObject({ serverNameOverride: 'temporal.internal' });
});

test('a profile of a configuration file is read only where the environment names it', () => {
  const file = join(folder, 'temporal.toml');
  writeFileSync(
    file,
    '[profile.default]\naddress = "prod:7233"\n[profile.ours]\naddress = "ours:7233"\nnamespace = "team"\n',
  );
  const config = join(folder, '.config', 'temporalio');
  expect(readTemporalSettings({ HOME: folder, XDG_CONFIG_HOME: config })).toBeUndefined();
  const named = readTemporalSettings({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'ours' });
  expect(named).toMatchObject({ address: 'ours:7233', namespace: 'team' });
});

test("the local stack's server takes no key that the environment has for another server", () => {
  const env = { TEMPORAL_API_KEY: 'the-key', TEMPORAL_TLS: 'true', TEMPORAL_NAMESPACE: 'team', PATH: '/bin' };
  expect(readTemporalSettings(env, STACK)).toMatchObject({
    address: '127.0.0.1:7233',
    namespace: 'team',
    security: {},
  });
  expect(localTemporalEnv(env, '127.0.0.1:7233')).toEqual({
    TEMPORAL_NAMESPACE: 'team',
    PATH: '/bin',
    TEMPORAL_ADDRESS: '127.0.0.1:7233',
  });
});

test('variables that do not fit each other are refused with a sentence', () => {
  const env = {
    TEMPORAL_ADDRESS: 'a:7233',
    TEMPORAL_PROFILE: 'missing',
    TEMPORAL_CONFIG_FILE: join(folder, 'temporal.toml'),
  };
  expect(() => readTemporalSettings(env)).toThrow(/^The TEMPORAL_ variables are not usable: .*missing/);
});
