import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const PROOFS = readdirSync(__dirname)
  .filter((name) => name.endsWith('.test.ts') && name !== 'types.test.ts')
  .map((name) => join(__dirname, name));

jest.setTimeout(300_000);

/** Files as they are, each parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What `tsc` says of the proofs, with the texts of some files replaced. */
function faultsWith(changes: Readonly<Record<string, (text: string) => string>> = {}, files = PROOFS): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (path) => {
    const change = Object.entries(changes).find(([name]) => path === join(ROOT, name));
    const text = read(path);
    return change === undefined || text === undefined ? text : change[1](text);
  };
  const parse = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...how) => {
    if (Object.keys(changes).some((name) => path === join(ROOT, name))) return parse(path, ...how);
    if (!parsed.has(path)) parsed.set(path, parse(path, ...how));
    return parsed.get(path);
  };
  const program = ts.createProgram(files, options, host);
  return files.flatMap((file) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
}

test('every declaration is the same to the compiler as the literal that its proof writes down', () => {
  expect(PROOFS.length).toBeGreaterThan(5);
  expect(faultsWith()).toEqual([]);
});

test('a member that becomes optional, is renamed, or changes its kind is found by the compiler', () => {
  const proof = [join(__dirname, 'sessions.test.ts')];
  const changes = {
    'contracts/sessions/session.ts': (text: string) =>
      text.replace('streamId: z.string().optional()', 'streamId: z.string()'),
    'contracts/modules/module-sessions.ts': (text: string) =>
      text
        .replace('linkedWorkflowSessionId', 'workflowSessionId')
        .replace('totalSessions: z.number()', 'totalSessions: z.any()'),
  };
  const faults = faultsWith(changes, proof).filter((text) =>
    text.includes("not assignable to parameter of type 'false'"),
  );
  // WorkflowSession, ModuleSessionInfo and SessionManagerHealth; what is made of them is the same on both sides.
  expect(faults).toHaveLength(3);
});
