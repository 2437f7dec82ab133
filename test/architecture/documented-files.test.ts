/** What the documentation says of the source: files that exist, and in the list of architecture.md every room of a folder. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SOURCE =
  /(?<![\w./-])(?:contracts|runtime|rules|store|workflows|activities|service|worker|client|api|cli|bench|scripts|test)\/[\w./-]+\.tsx?\b/g;

/** A file that docs/extending.md adds; test/architecture/worked-examples.test.ts compiles it. */
const OF_AN_EXAMPLE = new Set(['api/routes/versions.ts']);

function documents(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  return ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', ...docs].filter((name) => name.endsWith('.md'));
}

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

test('the documentation names only source files that exist', () => {
  const named = documents().flatMap((name) => (read(name).match(SOURCE) ?? []).map((file) => ({ name, file })));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ file }) => !existsSync(join(ROOT, file)) && !OF_AN_EXAMPLE.has(file))).toEqual([]);
});

test.each(['contracts', 'rules', 'workflows', 'activities', 'store'])(
  'the list of architecture.md names every room of %s/, and no other',
  (folder) => {
    const row = read('docs/architecture.md')
      .split('\n')
      .find((line) => line.startsWith(`- **${folder}/** `));
    // Rooms within a room stand in brackets.
    const rooms = [...row!.replaceAll(/\([^)]*\)/g, '').matchAll(/`([\w-]+)`/g)].map(([, room]) => room!);
    const folders = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rooms.sort()).toEqual(folders.map(({ name }) => name).sort());
  },
);
