import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
/** `- what: what refuses it. test/file: “title”, “title”`; a title that ends in … is the beginning of one. */
const ROW = /^- .*\. (test\/\S+): (“.+”)$/;

test('each test that docs/security.md names against an attack is there', () => {
  const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');
  const [, after = ''] = page.split('\n## Attacks\n');
  const [attacks = ''] = after.split('\n## ');
  const rows = attacks.split('\n').filter((line) => /^[-|] /.test(line));
  expect(rows.length).toBeGreaterThan(50);
  const missing = rows.flatMap((row) => {
    const [, file, titles = ''] = ROW.exec(row) ?? [];
    const path = join(ROOT, `${file}.test.ts`);
    if (file === undefined || !existsSync(path)) return [row];
    const source = readFileSync(path, 'utf8');
    const named = titles.split(/(?<=”), (?=“)/).map((title) => title.slice(1, -1).replaceAll('…', '').trim());
    return named.filter((title) => title === '' || !source.includes(title));
  });
  expect(missing).toEqual([]);
});
