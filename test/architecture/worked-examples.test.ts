/** The worked examples of docs/extending.md, put into the source: what each touches, and that the compiler names what is forgotten. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { readBlocks } from '../support/doc-blocks';
import { everyNth } from '../support/long-run';

const { floors } = require('../../scripts/floors.cjs') as { floors: Record<string, object> };
const ROOT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'extending.md'), 'utf8');

/** Where the parts of a fragment go: before a text of the file, or in its place. */
type Place = { before: string } | { instead: string };

/** Of each example its files, with the places of the parts; a new file has none. */
const EXAMPLES: Record<string, Record<string, readonly Place[]>> = {
  'A browser command': {
    'contracts/commands/definitions/pages.ts': [{ before: '  RELOAD_PAGE: defineCommand({' }],
    'activities/browser/commands/handlers/pages.ts': [{ before: '  async RELOAD_PAGE(' }],
    'service/recipes/export/command-code.ts': [{ before: '  RELOAD_PAGE: ' }],
  },
  'An event field': {
    'contracts/events/event-definitions.ts': [
      { before: 'import { StandardErrorSchema' },
      { instead: "  COMMAND_COMPLETED: defineEvent({\n    owners: ['task-loop'],\n    payload: { command },\n" },
    ],
    'activities/recorded/command-records.ts': [
      { instead: '        { command: commandData(CommandStatus.COMPLETED, duration), ...whatWasSaved(saved) },\n' },
    ],
  },
  'A route in a new room': {
    'api/routes/versions.ts': [],
    'api/routes/index.ts': [{ before: 'import { startSessionRoutes }' }, { before: '    ...healthRoutes(parts),' }],
    'api/http/tags.ts': [{ before: '  Service: ' }],
    'client/http/api-client.ts': [{ before: '    health: () =>' }],
  },
  'A control message': {
    'contracts/messages/definitions/control.ts': [{ before: '  close: defineMessage({' }],
    'workflows/messages/handlers/control.ts': [{ before: '  close: {' }],
  },
  'A setting': { 'runtime/settings/definitions.ts': [{ before: '  maxSessions: defineSetting({' }] },
};

/** Of these files the compiler says nothing when they are left out: a field that is never published, and a sole file. */
const SILENT = new Set(['activities/recorded/command-records.ts', 'runtime/settings/definitions.ts']);

/** Tables that ask for an entry where a command, a message or an operation is new, and the example needs none. */
const DERIVED = [
  'rules/tasks/tool-calls.ts',
  'activities/engine/tools/planners/index.ts',
  'cli/message-commands.ts',
  'service/port/methods.ts',
  'service/messages/preparations.ts',
  'workflows/messages/handle-messages.ts',
];

const fragments = readBlocks('extending.md').filter(({ info }) => info.includes('fragment'));

function fragmentOf(section: string, file: string): string {
  const block = fragments.find((each) => each.section === section && each.text.startsWith(`// ${file}\n`));
  if (block === undefined) throw new Error(`“${section}” of docs/extending.md shows nothing of ${file}.`);
  return block.text.slice(`// ${file}\n`.length);
}

function withFragment(section: string, file: string): string {
  const parts = fragmentOf(section, file).split('// …\n');
  const places = EXAMPLES[section]![file]!;
  if (places.length === 0) return parts.join('');
  return places.reduce(
    (text, place, index) => {
      const anchor = 'before' in place ? place.before : place.instead;
      expect([file, text.split(anchor).length]).toEqual([file, 2]);
      const kept = 'before' in place ? anchor : '';
      return text.replace(anchor, () => `${parts[index]}${kept}`);
    },
    readFileSync(join(ROOT, file), 'utf8'),
  );
}

const changed = new Map<string, { text: string; version: number }>();

function put(file: string, text: string | undefined): void {
  const path = join(ROOT, file);
  const version = (changed.get(path)?.version ?? 0) + 1;
  changed.set(path, { text: text ?? (existsSync(path) ? readFileSync(path, 'utf8') : 'export {};'), version });
}

function openService(): ts.LanguageService {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile) as { config: object };
  const include = Object.keys(floors);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include }, ts.sys, ROOT);
  const read = (path: string): string | undefined => changed.get(path)?.text ?? ts.sys.readFile(path);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...new Set([...fileNames, ...changed.keys()])],
    getScriptVersion: (path) => String(changed.get(path)?.version ?? 0),
    getScriptSnapshot(path) {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => changed.has(path) || ts.sys.fileExists(path),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
}

test.each(Object.entries(EXAMPLES))('%s touches as many files as docs/extending.md counts', (section, files) => {
  const shown = fragments.filter((each) => each.section === section).map(({ text }) => /^\/\/ (\S+)/.exec(text)![1]);
  expect(shown).toEqual(Object.keys(files));
  const row = PAGE.split('\n').find(
    (line) => line.startsWith('| [') && line.includes(`[${section.replace(/^A/, 'a')}]`),
  );
  expect(Number(row!.split('|')[2])).toBe(shown.length);
});

describe('put into the source', () => {
  let service: ts.LanguageService;
  const errorsIn = (file: string): string[] => {
    const path = join(ROOT, file);
    if (!changed.has(path) && !existsSync(path)) return [];
    return service
      .getSemanticDiagnostics(path)
      .map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  };
  beforeAll(() => {
    for (const [section, files] of Object.entries(EXAMPLES))
      for (const file of Object.keys(files)) put(file, withFragment(section, file));
    service = openService();
  });
  afterAll(() => service.dispose());

  test('the examples compile together, and so does what derives from their tables', () => {
    const edited = Object.values(EXAMPLES).flatMap((files) => Object.keys(files));
    expect([...edited, ...DERIVED].flatMap(errorsIn)).toEqual([]);
  }, 300_000);

  const places = Object.entries(EXAMPLES).flatMap(([section, files]) =>
    Object.keys(files).map((file) => [section, file] as const),
  );
  const refused = places.filter(([, file]) => !SILENT.has(file));
  test.each(everyNth(3, refused))(
    '%s does not compile without %s',
    (section, file) => {
      put(file, undefined);
      try {
        expect(Object.keys(EXAMPLES[section]!).flatMap(errorsIn).length).toBeGreaterThan(0);
      } finally {
        put(file, withFragment(section, file));
      }
    },
    300_000,
  );
});
