import { z } from 'zod';
import type { Settings } from '../../../runtime/settings/settings';
import { sourceError, type SecretSource } from './secret-source';

const LoginSchema = z.object({ auth: z.object({ client_token: z.string() }) });
const SecretSchema = z.object({ data: z.object({ data: z.record(z.string(), z.unknown()).nullable() }) });

/** KV version 2 of HashiCorp Vault by its HTTP API: `vault:secret/data/acme#password`. OpenBao has the same. */
export function createVault(settings: Settings['secretSources']): SecretSource {
  const { vaultAddress, vaultNamespace, vaultRoleId, vaultSecretId } = settings;
  /** Of the role; a given token stands for itself. */
  let loggedIn: string | undefined;

  async function send(reference: string, path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (vaultNamespace !== undefined) headers.set('X-Vault-Namespace', vaultNamespace);
    const answer = await fetch(new URL(`/v1/${path}`, vaultAddress), { ...init, headers, redirect: 'error' });
    if (answer.status < 500 && answer.status !== 429) return answer;
    throw sourceError(reference, 'unreachable', `Vault answered ${answer.status}${SEALED[answer.status] ?? ''}.`);
  }

  async function login(reference: string, signal: AbortSignal): Promise<string> {
    if (vaultRoleId === undefined || vaultSecretId === undefined)
      throw sourceError(
        reference,
        'not-set-up',
        'Set VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID, at the browser worker.',
      );
    const body = JSON.stringify({ role_id: vaultRoleId, secret_id: vaultSecretId });
    const answer = await send(reference, 'auth/approle/login', { method: 'POST', body, signal });
    if (!answer.ok)
      throw sourceError(reference, 'refused', `Vault refused the AppRole of VAULT_ROLE_ID (${answer.status}).`);
    return LoginSchema.parse(await answer.json()).auth.client_token;
  }

  return {
    prefix: 'vault:',
    async read(reference, signal) {
      if (vaultAddress === undefined)
        throw sourceError(reference, 'not-set-up', 'VAULT_ADDR is not set at the browser worker.');
      const [path = '', key = ''] = reference.slice('vault:'.length).split('#');
      const url = path.split('/').map(encodeURIComponent).join('/');
      const get = async (token: string): Promise<Response> =>
        await send(reference, url, { headers: { 'X-Vault-Token': token }, signal });
      let answer = await get(settings.vaultToken ?? (loggedIn ??= await login(reference, signal)));
      if (answer.status === 403 && settings.vaultToken === undefined) {
        // The token of a role ends with its time.
        loggedIn = await login(reference, signal);
        answer = await get(loggedIn);
      }
      if (answer.status === 403)
        throw sourceError(reference, 'refused', 'Vault refused it (403): no policy allows it.');
      if (answer.status === 404)
        throw sourceError(reference, 'missing', 'Vault has no such secret, or no version of it.');
      if (!answer.ok) throw sourceError(reference, 'refused', `Vault answered ${answer.status}.`);
      const found = SecretSchema.safeParse(await answer.json());
      if (!found.success)
        throw sourceError(
          reference,
          'missing',
          'Vault answered with no secret of KV version 2: its path has data behind the mount, as in secret/data/acme.',
        );
      const value = found.data.data.data?.[key];
      if (typeof value !== 'string' || value === '')
        throw sourceError(reference, 'missing', `the secret has no text under the key ${key}.`);
      return value;
    },
  };
}

const SEALED: Readonly<Record<number, string>> = { 503: ' (it is sealed, or down for maintenance)' };
