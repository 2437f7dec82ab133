import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEngineTools, type EngineTools } from '../../../activities/engine/tools/engine-tools';
import { readMcpConfig } from '../../../activities/engine/tools/mcp/config';
import { startMcpServers, type McpServers } from '../../../activities/engine/tools/mcp/servers';
import { isBrowserTool } from '../../../contracts/tools/browser-tools';
import { eventually } from '../../support/eventually';

const SERVER = resolve('test/support/mcp-server.js');
let folder: string;
let engineTools: EngineTools;
let warnings: string[];
let open: McpServers | undefined;
const processes: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-mcp-'));
  engineTools = createEngineTools(isBrowserTool);
  warnings = [];
});
afterEach(async () => {
  await open?.close();
  open = undefined;
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(servers: Record<string, unknown>, env: Record<string, string> = {}): Promise<void> {
  const configs = readMcpConfig(JSON.stringify({ mcpServers: servers }), env);
  open = await startMcpServers(configs, engineTools, (message) => warnings.push(message));
}

function overStdio(more: object = {}, env: Record<string, string> = {}) {
  return { command: process.execPath, args: [SERVER], env: { COUNT_FILE: join(folder, 'count'), ...env }, ...more };
}

async function serveHttp(port = 0): Promise<{ url: string; child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, [SERVER, 'http', String(port)], {
    env: { PATH: process.env['PATH'] ?? '', COUNT_FILE: join(folder, 'count') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  processes.push(child);
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const given = Number(line.toString());
  return { url: `http://127.0.0.1:${given}/mcp`, child, port: given };
}

async function call(name: string, args: Record<string, unknown> = {}, signal = new AbortController().signal) {
  const updates: string[] = [];
  const result = await engineTools.get(name)!.tool.execute(args, signal, (text) => updates.push(text));
  return { result, updates };
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

describe.each(['stdio', 'http'])('a server over %s', (kind) => {
  const server = async (more: object = {}) =>
    kind === 'stdio' ? overStdio(more) : { url: (await serveHttp()).url, ...more };

  test('its tools are called server__tool, and what it says of them counts where the operator trusts it', async () => {
    await start({ bad: await server({ trustHints: true }), other: await server() });
    const names = engineTools.list().map(({ tool }) => tool.name);
    expect(names).toContain('bad__echo');
    expect(names).toEqual([...names].sort());
    const facts = ({ classification, effect, server: of }: NonNullable<ReturnType<EngineTools['get']>>) => [
      classification,
      effect,
      of,
    ];
    expect(facts(engineTools.get('bad__echo')!)).toEqual(['read', 'pure', 'bad']);
    expect(facts(engineTools.get('bad__count')!)).toEqual(['external', 'commit', 'bad']);
    expect(facts(engineTools.get('bad__fail')!)).toEqual(['destructive', 'commit', 'bad']);
    expect(facts(engineTools.get('other__echo')!)).toEqual(['external', 'commit', 'other']);
    expect(facts(engineTools.get('other__fail')!)).toEqual(['destructive', 'commit', 'other']);
    const signal = new AbortController().signal;
    expect(await engineTools.get('bad__echo')!.tool.shouldConfirmExecute({ text: 'x' }, signal)).toBe(false);
    const count = engineTools.get('bad__count')!.tool;
    expect(await count.shouldConfirmExecute({}, signal)).toMatchObject({
      type: 'mcp',
      serverName: 'bad',
      toolName: 'count',
      toolDisplayName: 'count',
    });
    const { result } = await call('bad__echo', { text: 'hello' });
    expect(result).toEqual({ llmContent: [{ type: 'text', text: 'hello' }], returnDisplay: 'hello' });
    expect((await call('bad__report_progress')).updates).toEqual(['part 1\n', 'part 2\n']);
  });

  test('[S2.R5] its schema is checked before anything is sent', async () => {
    await start({ bad: await server() });
    const { tool, checkArguments } = engineTools.get('bad__echo')!;
    expect(await checkArguments!({ text: 'x' })).toBeNull();
    expect(await checkArguments!({ text: 5 })).toBe('text: must be string');
    expect(await tool.shouldConfirmExecute({ text: 5 }, new AbortController().signal)).toBe(false);
    expect(await failure(call('bad__echo', { text: 5 }))).toMatch(/validation failed/);
  });

  test('arguments that its pattern would compare for ever by backtracking are refused at once', async () => {
    await start({ bad: await server() });
    const { checkArguments } = engineTools.get('bad__code')!;
    expect(await checkArguments!({ code: `${'a'.repeat(50)}!` })).toBe('code: must match pattern "^(a+)+$"');
    expect(await checkArguments!({ code: 'aaa' })).toBeNull();
  });

  test('a call that hangs ends at its timeout, or when it is aborted', async () => {
    await start({ bad: await server({ timeoutMs: 3000 }) });
    expect(await failure(call('bad__hang'))).toMatch(/bad says: .*timed out/i);
    const own = new AbortController();
    const hanging = failure(call('bad__hang', {}, own.signal));
    own.abort(new Error('asked to stop'));
    expect(await hanging).toMatch(/asked to stop/);
    expect((await call('bad__echo', { text: 'still here' })).result.returnDisplay).toBe('still here');
  });

  test('a server that says no is quoted; of a large answer all comes, of a far too large one the end of it', async () => {
    await start({ bad: await server() });
    expect(await failure(call('bad__fail'))).toMatch(/^it can not be done/);
    expect((await call('bad__big', { mb: 4 })).result.returnDisplay).toHaveLength(4 * 1024 * 1024);
    expect(await failure(call('bad__big', { mb: 50 }))).toBe(
      'The MCP server bad went away during the call: its answer was larger than 8 MB; nobody knows whether big took effect.',
    );
    expect((await call('bad__echo', { text: 'still here' })).result.returnDisplay).toBe('still here');
  });
});

test('a server that dies within a call fails that call in words, and is there for the next one', async () => {
  await start({ bad: overStdio() });
  expect(await failure(call('bad__die'))).toBe(
    'The MCP server bad went away during the call; nobody knows whether die took effect.',
  );
  expect((await call('bad__echo', { text: 'again' })).result.returnDisplay).toBe('again');
  expect(warnings).toContain('The MCP server bad went away; it is started again.');
});

test('a server over HTTP that is killed within a call fails it, and is found when it is back', async () => {
  const first = await serveHttp();
  await start({ bad: { url: first.url } });
  const hanging = failure(call('bad__hang'));
  await eventually(
    'the call is under way',
    async () => (await call('bad__echo', { text: 'x' })).result.returnDisplay === 'x',
  );
  first.child.kill('SIGKILL');
  expect(await hanging).toMatch(/went away during the call/);
  expect(await failure(call('bad__echo', { text: 'x' }))).toMatch(/can't be reached/);
  await serveHttp(first.port);
  expect((await call('bad__echo', { text: 'back' })).result.returnDisplay).toBe('back');
});

test('its process gets what its configuration names and nothing else of the environment', async () => {
  process.env['ENGINE_ONLY'] = 'x';
  try {
    await start({ bad: overStdio({}, { API_TOKEN: '${TOKEN_OF_BAD}' }) }, { TOKEN_OF_BAD: 'abcdef123456' });
    const names = JSON.parse((await call('bad__env')).result.returnDisplay as string) as string[];
    expect(names).toEqual(expect.arrayContaining(['API_TOKEN', 'COUNT_FILE', 'PATH']));
    expect(names).not.toContain('ENGINE_ONLY');
  } finally {
    delete process.env['ENGINE_ONLY'];
  }
});

test('a server that does not start is logged, and the others work', async () => {
  await start({
    gone: { command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(2)'] },
    bad: overStdio({ tools: ['echo'] }),
  });
  expect(warnings.join()).toMatch(/MCP server gone can't be reached: .*no licence.*missing until it is there/s);
  expect(engineTools.list().map(({ tool }) => tool.name)).toEqual(['bad__echo']);
});

describe('its configuration', () => {
  const reading = (text: string, env = {}) => {
    try {
      return readMcpConfig(text, env);
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('is a JSON text or a file', () => {
    const text = '{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://b.test/mcp"}}}';
    const file = join(folder, 'mcp.json');
    writeFileSync(file, text);
    expect(readMcpConfig(text, {}).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(readMcpConfig(file, {})).toEqual(readMcpConfig(text, {}));
    expect(readMcpConfig(undefined, {})).toEqual([]);
    expect(readMcpConfig(readFileSync('examples/tools/mcp.json', 'utf8'), {})).toMatchObject([{ name: 'notes' }]);
  });

  test('with two servers of one name is refused', () => {
    const nested = '{"mcpServers": {"a": {"command": "x", "env": {"a": "1", "b": "2"}}, "b": {"command": "a"}}}';
    expect(reading(nested)).toHaveLength(2);
    expect(reading('{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}, "a": {"command": "z"}}}')).toBe(
      'SUREFOOT_MCP has two MCP servers called a. Give each a name of its own.',
    );
  });

  test.each([
    ['{', /no JSON/],
    ['/nowhere/mcp.json', /no such file/],
    ['{"mcpServers": {"a__b": {"command": "x"}}}', /single _ or -/],
    ['{"mcpServers": {"a": {"url": "ftp://x"}}}', /not usable/],
    ['{"mcpServers": {"a": {"command": "x", "env": {"K": "${NOT_SET}"}}}}', /needs the environment variable NOT_SET/],
  ])('%s is refused in words', (text, message) => {
    expect(reading(text)).toMatch(message);
  });
});
