import { SYSTEM_VERSION_TEXT } from '../../../contracts/modules/version';
import type { Settings } from '../../../runtime/settings/settings';
import { sourceError, type SecretSource } from './secret-source';

type SourceSettings = Settings['secretSources'];

/** What is called of each package; none is installed by default. */
interface OnePassword {
  createClient(options: { auth: string; integrationName: string; integrationVersion: string }): Promise<{
    secrets: { resolve(reference: string): Promise<string> };
  }>;
}
interface Bitwarden {
  BitwardenClient: new () => {
    auth(): { loginAccessToken(token: string): Promise<void> };
    secrets(): { get(id: string): Promise<{ value: string }> };
  };
}
interface GoogleSecretManager {
  SecretManagerServiceClient: new () => {
    accessSecretVersion(request: {
      name: string;
    }): Promise<[{ payload?: { data?: Uint8Array | string | null } | null }, ...unknown[]]>;
  };
}

/** The secret managers that are reached by their vendors' own packages, each loaded when a secret names it. */
export function createOfficialClients({ onePasswordToken, bitwardenToken }: SourceSettings): SecretSource[] {
  return [
    clientSource<OnePassword>('op://', '1Password', '@1password/sdk', async (reference, { createClient }) => {
      const auth = required(onePasswordToken, reference, 'OP_SERVICE_ACCOUNT_TOKEN');
      const integration = { integrationName: 'Surefoot', integrationVersion: `v${SYSTEM_VERSION_TEXT}` };
      return async () => await (await createClient({ auth, ...integration })).secrets.resolve(reference);
    }),
    clientSource<Bitwarden>(
      'bitwarden:',
      'Bitwarden',
      '@bitwarden/sdk-napi',
      async (reference, { BitwardenClient }) => {
        const token = required(bitwardenToken, reference, 'BWS_ACCESS_TOKEN');
        return async () => {
          const client = new BitwardenClient();
          await client.auth().loginAccessToken(token);
          return (await client.secrets().get(reference.slice('bitwarden:'.length))).value;
        };
      },
    ),
    clientSource<GoogleSecretManager>(
      'google:',
      'Google Secret Manager',
      '@google-cloud/secret-manager',
      async (reference, { SecretManagerServiceClient }) =>
        async () => {
          const name = reference.slice('google:'.length);
          const [{ payload }] = await new SecretManagerServiceClient().accessSecretVersion({ name });
          return Buffer.from(payload?.data ?? '').toString('utf8');
        },
    ),
  ];
}

function clientSource<Client>(
  prefix: string,
  vendor: string,
  name: string,
  prepare: (reference: string, client: Client) => Promise<() => Promise<string>>,
): SecretSource {
  return {
    prefix,
    async read(reference) {
      const read = await prepare(reference, await load<Client>(name, vendor, reference));
      // What a client says of its failure may repeat what it was sent.
      const value = await read().catch(() => {
        throw sourceError(reference, 'unreachable', `${vendor} was not reached, or refused it, or does not have it.`);
      });
      if (value === '') throw sourceError(reference, 'missing', `${vendor} has no text there.`);
      return value;
    },
  };
}

async function load<Client>(name: string, vendor: string, reference: string): Promise<Client> {
  try {
    return (await import(name)) as Client;
  } catch (error) {
    if (!/^Cannot find (?:module|package)/.test((error as Error).message)) throw error;
    const sentence = `${vendor} is read through the package ${name}, which is not installed here: run \`npm install ${name}\` where the browser workers run.`;
    throw sourceError(reference, 'not-set-up', sentence);
  }
}

function required(value: string | undefined, reference: string, variable: string): string {
  if (value === undefined) throw sourceError(reference, 'not-set-up', `${variable} is not set at the browser worker.`);
  return value;
}
