import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SYSTEM_VERSION_TEXT } from '../../contracts/modules/version';
import { declareAccess } from '../http/access';
import type { ApiApp, ApiParts } from '../http/context';
import { SHOP } from '../openapi/examples';
import { toOpenApi } from '../openapi/document';

/** Of Swagger UI: the page needs no network beyond this process. */
const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const FOLDER = dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Surefoot API ${SYSTEM_VERSION_TEXT}</title>
    <link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
    <style>body { margin: 0 } .swagger-ui .info { margin: 24px 0 }</style>
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/assets/swagger-ui-bundle.js"></script>
    <script>
      SwaggerUIBundle({ url: '/openapi.json', dom_id: '#page', deepLinking: true, validatorUrl: null, tryItOutEnabled: true });
    </script>
  </body>
</html>
`;

/** Added last: the document describes every route that is there by then. */
export function addDocs(app: ApiApp, { shop = () => undefined }: Pick<ApiParts, 'shop'>): void {
  // Made once for each place of the shop, when it is first asked for: strangers may ask for it as often as they like.
  const made = new Map<string, string>();
  app.get('/openapi.json', declareAccess.open, (c) => {
    const place = shop() ?? SHOP;
    if (!made.has(place)) made.set(place, JSON.stringify(toOpenApi(app)).replaceAll(SHOP, place));
    return c.body(made.get(place)!, 200, { 'Content-Type': 'application/json' });
  });
  app.get('/docs', declareAccess.open, (c) => c.html(PAGE));
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/assets/${name}`, declareAccess.open, async (c) =>
      c.body(new Uint8Array(await readFile(join(FOLDER, name))), 200, {
        'Content-Type': type,
        'Cache-Control': 'max-age=86400',
      }),
    );
  }
}
