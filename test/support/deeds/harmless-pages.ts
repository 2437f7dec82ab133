import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const IN_SHOP = [
  '/',
  '/login',
  '/catalogue',
  '/search?q=lamp',
  '/products/trail-shoe',
  '/cart',
  '/orders',
  ...[
    '',
    'choosing',
    'counter',
    'dialogs',
    'download',
    'equal-names',
    'form',
    'keys',
    'leaving',
    'new-tab',
    'terms',
  ].map((name) => `/parts/${name}`),
];
const FOLDERS = ['bench/pages/plain', 'bench/pages/mutations', 'examples/eval/office'];

/** Pages of the page suites and of the examples, by their addresses or with their markup. */
export function harmlessPages(): { path: string; html?: string }[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.html'))
      .sort()
      .map((name) => ({
        path: `/${folder}/${name}`,
        html: `<!doctype html><meta charset="utf-8">${readFileSync(join(ROOT, folder, name), 'utf8')}`,
      })),
  );
  return [...IN_SHOP.map((path) => ({ path })), ...files];
}
