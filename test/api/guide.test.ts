/** The guide at /guide, as it is built from docs/. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createApi } from '../../api/app';
import type { ApiApp, ApiParts } from '../../api/http/context';
import { silent } from './fixture';

const ROOT = join(__dirname, '..', '..');

/** Pages need none of the parts that sessions need. */
const apiWith = (guideFolder: string): ApiApp => createApi({ logger: silent, guideFolder } as ApiParts);

let app: ApiApp;
beforeAll(() => {
  // Does nothing where docs/ has not changed since.
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'guide.js')], { stdio: ['ignore', 'ignore', 'inherit'] });
  app = apiWith(join(ROOT, 'dist', 'guide'));
}, 180_000);

async function read(path: string): Promise<{ status: number; type: string | null; text: string }> {
  const answer = await app.request(path);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

test('the guide has each page of docs/ under its name without an extension, with its assets', async () => {
  const [start, package_] = [await app.request('/guide'), await read('/guide/package')];
  expect([start.status, start.headers.get('location')]).toEqual([302, '/guide/']);
  expect(package_).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  expect(package_.text).toContain('<h1 id="the-npm-package"');
  for (const folder of ['reference', 'decisions']) {
    for (const name of readdirSync(join(ROOT, 'docs', folder)))
      expect([name, (await read(`/guide/${folder}/${name.slice(0, -3)}`)).status]).toEqual([name, 200]);
  }
  const assets = [...package_.text.matchAll(/(?:href|src)="(\/guide\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) expect((await read(path)).status).toBe(200);
});

test('the guide asks no other server for anything', async () => {
  const { text } = await read('/guide/');
  const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter((path) => !path.startsWith('/guide/') && !path.startsWith('data:'))).toEqual([]);
});

test('a page that is not there is answered with 404, and a path out of the folder leads nowhere', async () => {
  expect(await read('/guide/nothing')).toMatchObject({ status: 404, text: expect.stringContaining('<html') });
  for (const slash of ['/', encodeURIComponent('/'), encodeURIComponent('\\')])
    expect((await read(`/guide/${['..', '..', 'package.json'].join(slash)}`)).text).not.toContain('devDependencies');
});

test('where the guide is not built, the answer says how it is', async () => {
  const answer = await apiWith(join(ROOT, 'dist', 'nowhere')).request('/guide/');
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('npm run guide') } });
});
