import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { declareAccess } from '../http/access';
import type { ApiApp, ApiEnv } from '../http/context';

/** The addresses that the page has; it shows each of them itself. */
const ADDRESSES = [
  '/',
  '/sessions/:id',
  '/waiting',
  '/waiting/:id',
  '/waiting/:id/:approval',
  '/start',
  '/operations',
  '/schedules',
  '/schedules/:id',
];
const ASSETS = '/page/*';

/** Nothing comes from elsewhere, nothing runs but the page's own script, and no other page may frame it. */
const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; " +
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** Serves the page of web/, from the folder in which scripts/web.js has built it. Without one `/` leads to /docs. */
export function addPage(app: ApiApp, folder: string | undefined): void {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) {
    app.get('/', declareAccess.open, (c) => c.redirect('/docs'));
    return;
  }
  for (const address of ADDRESSES)
    app.get(address, declareAccess.open, async (c) =>
      c.html(await readFile(join(folder, 'index.html'), 'utf8'), 200, HEADERS),
    );
  const serve = serveStatic<ApiEnv>({ root: folder, precompressed: true });
  app.get(ASSETS, declareAccess.open, async (c, next) => {
    // The name of an asset has its hash.
    c.header('Cache-Control', 'max-age=31536000, immutable');
    c.header('Vary', 'Accept-Encoding');
    const answer = await serve(c, async () => {});
    if (answer instanceof Response) return answer;
    c.header('Cache-Control', 'no-cache');
    return await next();
  });
}
