import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import type { Counter } from './counter';
import { layout, type Html } from './layout';
import type { ShopEnv } from './visitors';

/** Pages that are one file of markup each, in parts/. */
const PAGES = {
  iframe: 'A frame',
  shadow: 'A shadow tree',
  dialogs: 'Dialogs',
  'new-tab': 'A new tab',
  terms: 'Terms',
  download: 'A download',
  upload: 'An upload',
  'equal-names': 'Equal names',
  covered: 'A covered button',
  late: 'A late element',
  keys: 'Keys',
  long: 'A long page',
  hidden: 'Hidden events',
  leaving: 'A form that leads elsewhere',
  choosing: 'A list that sends',
  form: 'Every control',
} as const;
const MADE_PAGES = { table: 'A large table', counter: 'A counter' };
const ROWS = 1000;

/** Small pages with one difficulty each; they need no sign-in. */
export function partRoutes(counter: Counter): Hono<ShopEnv> {
  const routes = new Hono<ShopEnv>()
    .get('/', (c) => c.html(indexPage()))
    .get('/iframe/inner', (c) => c.html(readPart('iframe-inner')))
    .get('/table', (c) => c.html(part('table', MADE_PAGES.table, { rows: tableRows() })))
    .get('/report.csv', (c) =>
      c.body('product,sold\nTrail Shoe,12\nRain Jacket,7\n', 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="report.csv"',
      }),
    )
    .post('/upload', async (c) => {
      const { file } = await c.req.parseBody();
      const result =
        file instanceof File && file.name !== ''
          ? html`<p class="notice" role="status">Received ${file.name} (${file.size} bytes)</p>`
          : html`<p class="alert" role="alert">Choose a file first</p>`;
      return c.html(part('upload', PAGES.upload, { result }));
    })
    // A page may show a press late (`late`, in ms), and be kept by the browser (`cached`, in s).
    .get('/counter', (c) => {
      const { late = '0', cached } = c.req.query();
      const shown = counter
        .commits(c.get('visitor').run)
        .filter(({ at }) => Date.now() - Date.parse(at) >= Number(late));
      const count = html`${shown.length}`;
      if (cached !== undefined) c.header('Cache-Control', `private, max-age=${Number(cached)}`);
      return c.html(part('counter', MADE_PAGES.counter, { count }));
    })
    .post('/counter', (c) => {
      counter.add(c.get('visitor').run);
      return c.redirect('/parts/counter', 303);
    })
    .post('/leaving', (c) => {
      counter.add(c.get('visitor').run);
      return c.redirect('http://elsewhere.example/thanks', 303);
    });
  for (const [name, title] of Object.entries(PAGES)) routes.get(`/${name}`, (c) => c.html(part(name, title)));
  return routes;
}

function readPart(name: string): string {
  return readFileSync(join(__dirname, 'parts', `${name}.html`), 'utf8');
}

/** Reads a page from its file; `<!-- piece: name -->` marks where generated markup goes. */
function part(name: string, title: string, pieces: Record<string, Html> = {}): Html {
  const [first = '', ...rest] = readPart(name).split('<!-- piece: ');
  const filled = rest.map((text) => {
    const end = text.indexOf(' -->');
    return html`${pieces[text.slice(0, end)] ?? ''}${raw(text.slice(end + 4))}`;
  });
  return layout({ title, body: html`${raw(first)}${filled}` });
}

function tableRows(): Html {
  const stock = Array.from({ length: ROWS }, (_, index) => ({ number: index + 1, count: (index * 7) % 50 }));
  return html`${stock.map(
    ({ number, count }) =>
      html`<tr>
        <th scope="row">Item ${number}</th>
        <td>${count}</td>
        <td><button class="plain">Edit</button> <button class="plain">Delete</button></td>
      </tr> `,
  )}`;
}

function indexPage(): Html {
  return layout({
    title: 'Parts',
    body: html`<h1>Parts</h1>
      <p>Small pages with one difficulty each.</p>
      <ul>
        ${Object.entries({ ...PAGES, ...MADE_PAGES }).map(
          ([name, title]) => html`<li><a href="/parts/${name}">${title}</a></li>`,
        )}
      </ul>`,
  });
}
