/** `surefoot/contracts` has every name of the sources; what the documentation imports of an entry, that entry has. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import declarations from './contract-ids.json';

const ROOT = join(__dirname, '..', '..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const { exports: entries } = JSON.parse(read('package.json')) as { exports: Record<string, unknown> };

jest.setTimeout(120_000);

/** The source of an entry: `./dist/client/agent/index.d.ts` is made of client/agent/index.ts. */
function sourceOf(entry: string): string | undefined {
  const types = JSON.stringify(entries[entry === 'surefoot' ? '.' : entry.replace('surefoot', '.')] ?? '');
  const found = /\.\/dist\/([\w/-]+)\.d\.ts/.exec(types)?.[1];
  return found === undefined ? undefined : join(ROOT, `${found}.ts`);
}

const NAMES = Object.keys(entries)
  .map((entry) => entry.replace(/^\./, 'surefoot'))
  .filter((entry) => sourceOf(entry) !== undefined);

/** What each entry exports, as the compiler sees it. */
const exported = ((): Map<string, Set<string>> => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    NAMES.map((entry) => sourceOf(entry)!),
    options,
  );
  const checker = program.getTypeChecker();
  return new Map(
    NAMES.map((entry) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(sourceOf(entry)!)!);
      return [entry, new Set(checker.getExportsOfModule(module!).map(({ name }) => name))];
    }),
  );
})();

test('every declaration of the sources can be imported from surefoot/contracts', () => {
  const names = declarations
    .filter(({ kind }) => kind === 'declaration')
    .map(({ name }) => /^(?:\w+ )+?(\w+)(?=\W|$)/.exec(name)![1]!);
  expect(names.length).toBeGreaterThan(130);
  expect(names.filter((name) => !exported.get('surefoot/contracts')!.has(name))).toEqual([]);
});

test('what a page of the documentation imports of the package can be imported', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  const imports = ['README.md', ...pages].flatMap((page) =>
    [...read(page).matchAll(/^import (?:type )?\{([^}]+)\} from '(surefoot(?:\/[\w-]+)?)';/gm)].flatMap(
      ([, list, entry]) =>
        list!
          .split(',')
          .map(
            (part) =>
              part
                .trim()
                .replace(/^type /, '')
                .split(' as ')[0]!,
          )
          .filter((name) => name !== '')
          .map((name) => ({ page, entry: entry!, name })),
    ),
  );
  expect(imports.length).toBeGreaterThan(20);
  expect(imports.filter(({ entry, name }) => exported.get(entry)?.has(name) !== true)).toEqual([]);
});
