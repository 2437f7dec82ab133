import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { declareAccess } from '../http/access';
import type { ApiApp, ApiEnv } from '../http/context';
import { HttpError, requestError } from '../http/error-response';

const AT = '/guide';
const NOT_BUILT =
  'The guide is not built here. Run `npm run guide` in the folder of Surefoot, then load this page again. docs/ has the same text.';

/** Serves the site of docs/ at /guide, from the folder in which `npm run guide` has put it. */
export function addGuide(app: ApiApp, folder: string): void {
  // Made when it is first asked for: the site may be built while the API runs.
  let serve: ReturnType<typeof serveStatic<ApiEnv>> | undefined;
  app.get(AT, declareAccess.open, (c) => c.redirect(`${AT}/`));
  app.get(`${AT}/*`, declareAccess.open, async (c) => {
    if (!existsSync(folder)) throw new HttpError(requestError(404, NOT_BUILT));
    // The name of an asset has its hash; a page changes with the next version.
    c.header('Cache-Control', c.req.path.startsWith(`${AT}/assets/`) ? 'max-age=31536000' : 'no-cache');
    serve ??= serveStatic<ApiEnv>({ root: folder, rewriteRequestPath: fileOf });
    const answer = await serve(c, async () => {});
    if (answer instanceof Response) return answer;
    return c.html(await readFile(join(folder, '404.html'), 'utf8'), 404);
  });
}

/** Addresses of pages have no `.html`. */
function fileOf(path: string): string {
  const name = path.slice(AT.length);
  return name.endsWith('/') || extname(name) !== '' ? name : `${name}.html`;
}
