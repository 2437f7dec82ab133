import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers as the HTTP API of Vault is documented: AppRole, and KV version 2. It is no Vault, and holds no policy but its token. */
export interface VaultServer {
  url: string;
  /** By their paths; a deleted one is null. */
  secrets: Map<string, Record<string, unknown> | null>;
  /** Statuses of the next answers, before it is itself again. */
  troubles: (number | 'no-answer')[];
  logins: number;
  /** Ends the tokens that were given. */
  expireTokens(): void;
  close(): void;
}

export async function startVaultServer({ roleId, secretId }: Record<'roleId' | 'secretId', string>) {
  let token: string | undefined;
  const vault: VaultServer = {
    url: '',
    secrets: new Map(),
    troubles: [],
    logins: 0,
    expireTokens: () => (token = undefined),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, value: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      const trouble = vault.troubles.shift();
      if (trouble === 'no-answer') return request.socket.destroy();
      if (trouble !== undefined) return answer(trouble, { errors: ['Vault is sealed'] });
      if (request.url === '/v1/auth/approle/login') {
        const given = JSON.parse(body) as Record<string, string>;
        if (given['role_id'] !== roleId || given['secret_id'] !== secretId)
          return answer(400, { errors: ['invalid role or secret ID'] });
        vault.logins += 1;
        token = `hvs.${vault.logins}`;
        return answer(200, { auth: { client_token: token, lease_duration: 3600, renewable: true } });
      }
      if (token === undefined || request.headers['x-vault-token'] !== token)
        return answer(403, { errors: ['permission denied'] });
      const data = vault.secrets.get(request.url!.slice('/v1/'.length));
      if (data === undefined) return answer(404, { errors: [] });
      const metadata = { version: 1, destroyed: false, deletion_time: data === null ? '2026-01-01T00:00:00Z' : '' };
      return answer(data === null ? 404 : 200, { data: { data, metadata } });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vault.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return vault;
}
