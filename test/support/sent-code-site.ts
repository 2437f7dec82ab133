import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that sends a code, and a link, by ways that the engine does not see. */
export interface SentCodeSite {
  url: string;
  /** What the site has "sent": a code is right once. */
  codes: Set<string>;
  /** Tokens of links, each of which signs in once. */
  tokens: Set<string>;
  /** Codes and tokens in the order in which they arrived, and whether each was right. */
  arrived: { value: string; isRight: boolean }[];
  close(): void;
}

/** The page after a code or a link shows it in every way that a page can. */
export async function startSentCodeSite(): Promise<SentCodeSite> {
  const codes = new Set<string>();
  const tokens = new Set<string>();
  const arrived: SentCodeSite['arrived'] = [];
  const take = (valid: Set<string>, value: string): boolean => {
    const isRight = valid.delete(value);
    arrived.push({ value, isRight });
    return isRight;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://site');
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      if (pathname === '/link') {
        const token = searchParams.get('token') ?? '';
        return response.end(shown(token, take(tokens, token) ? 'Signed in by link' : 'That link is old'));
      }
      if (request.method !== 'POST') return response.end(FORM);
      const code = new URLSearchParams(body).get('code') ?? '';
      return response.end(take(codes, code) ? shown(code, 'Signed in') : `${shown(code, 'That code is wrong')}${FORM}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codes,
    tokens,
    arrived,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const FORM = `<!doctype html><title>Code</title><form method="post" action="/"><label>Code <input name="code" id="code"></label>
  <button>Verify</button></form>`;

const shown = (value: string, says: string): string => `<!doctype html><title>${says} ${value}</title><h1>${says}</h1>
  <p title="${value}">It was ${value}</p><script>localStorage.setItem('value', '${value}'); console.error('got ${value}')</script>`;
