import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { URI, type TOTP } from 'otpauth';

/** A sign-in with a second factor, as sites have it: a code is right in its own period alone, and good once. */
export interface CodeSite {
  url: string;
  /** Every code that was sent, and whether it was right. */
  sent: { code: string; isRight: boolean; leftMs: number }[];
  close(): void;
}

/** `seed` is an otpauth address. The page shows what was typed in every way that a page can. */
export async function startCodeSite(seed: string): Promise<CodeSite> {
  const totp = URI.parse(seed) as TOTP;
  const sent: CodeSite['sent'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      if (request.method !== 'POST') return response.end(FORM);
      const code = new URLSearchParams(body).get('code') ?? '';
      const isRight =
        totp.validate({ token: code, window: 0 }) !== null && !sent.some((one) => one.isRight && one.code === code);
      sent.push({ code, isRight, leftMs: totp.remaining() });
      return response.end(isRight ? shown(code, 'Signed in') : `${shown(code, 'That code is wrong')}${FORM}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const FORM = `<!doctype html><title>Code</title><form method="post" action="/"><label>Code <input name="code" id="code"></label>
  <button>Verify</button></form>`;

const shown = (code: string, says: string): string => `<!doctype html><title>${says} ${code}</title><h1>${says}</h1>
  <p title="${code}">Your code ${code}</p><script>localStorage.setItem('code', '${code}'); console.error('code ${code}')</script>`;
