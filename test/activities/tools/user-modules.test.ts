import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { createEngineTools } from '../../../activities/engine/tools/engine-tools';
import { openTools } from '../../../activities/engine/tools/open-tools';
import { loadUserTools } from '../../../activities/engine/tools/user-modules';
import { isBrowserTool } from '../../../contracts/tools/browser-tools';
import { defineTool } from '../../../contracts/tools/define-tool';
import { isTool } from '../../../contracts/tools/tool';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'surefoot-tools-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HELPER = resolve('contracts/tools/define-tool');
function aModule(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

const signal = new AbortController().signal;
const doubled = defineTool({
  name: 'double',
  description: 'Twice a number',
  parameters: z.strictObject({ n: z.number() }),
  classification: 'read',
  execute: ({ n }) => String(2 * n),
});

test('[S2.11, S2.R5] a defined tool is an ITool: it checks arguments before it asks and runs', async () => {
  expect(isTool(doubled)).toBe(true);
  expect(doubled.facts).toEqual({ classification: 'read', effect: 'pure', timeoutMs: 60_000 });
  expect(doubled.schema.parameters).toMatchObject({ type: 'object', required: ['n'] });
  expect(doubled.validateToolParams({ n: 1 })).toBeNull();
  expect(doubled.validateToolParams({ n: 'x' })).toMatch(/^n: /);
  expect(await doubled.execute({ n: 4 }, signal)).toEqual({ llmContent: '8', returnDisplay: '8' });
  await expect(doubled.execute({}, signal)).rejects.toThrow(/validation failed/);
  expect(await doubled.shouldConfirmExecute({ n: 1 }, signal)).toBe(false);
});

test('a tool that destroys asks with its own words; for invalid arguments it never asks', async () => {
  const remove = defineTool({
    name: 'remove',
    description: 'Removes a file',
    parameters: z.strictObject({ file: z.string() }),
    classification: 'destructive',
    confirm: ({ file }) => (file.startsWith('/tmp') ? false : `Remove ${file}.`),
    execute: async () => 'gone',
  });
  expect(remove.facts.effect).toBe('commit');
  expect(await remove.shouldConfirmExecute({ file: '/a' }, signal)).toMatchObject({
    type: 'info',
    prompt: 'Remove /a.',
  });
  expect(await remove.shouldConfirmExecute({ file: '/tmp/a' }, signal)).toBe(false);
  expect(await remove.shouldConfirmExecute({ file: 5 }, signal)).toBe(false);
});

test('a module exports tools under any names, alone or in lists', () => {
  const make = (name: string) =>
    `defineTool({name: '${name}', description: 'd', parameters: z.object({}), execute: () => 'x'})`;
  const head = `const {defineTool} = require(${JSON.stringify(HELPER)}); const {z} = require('${resolve('node_modules/zod')}');`;
  const file = aModule(
    'many.js',
    `${head} exports.one = ${make('one')}; exports.tools = [${make('two')}, ${make('three')}];`,
  );
  const single = aModule('single.js', `${head} module.exports = ${make('four')};`);
  const tools = loadUserTools([file, single]);
  expect(tools.map(({ tool, origin, effect }) => [tool.name, origin, effect])).toEqual([
    ['one', file, 'commit'],
    ['two', file, 'commit'],
    ['three', file, 'commit'],
    ['four', single, 'commit'],
  ]);
});

test('the example module is loaded unchanged', () => {
  const tools = loadUserTools(['examples/tools/stock.ts']);
  expect(Object.fromEntries(tools.map(({ tool, classification }) => [tool.name, classification]))).toEqual({
    stock: 'read',
    reserve: 'destructive',
  });
});

test.each([
  ['is not there', 'nowhere.js', undefined, /nowhere\.js can't be loaded: .*Cannot find module/],
  ['throws', 'throws.js', 'throw new Error("no key")', /throws\.js can't be loaded: no key/],
  ['has no tool', 'none.js', 'exports.x = {name: "a", execute() {}}', /none\.js exports no tool: expected/],
])('a module that %s is reported when the worker starts', (_, name, code, message) => {
  const file = code === undefined ? join(folder, name) : aModule(name, code);
  expect(() => loadUserTools([file])).toThrow(message);
});

test('two tools of one name are refused with both their origins, and none takes the name of one of ours', () => {
  const engineTools = createEngineTools(isBrowserTool);
  const named = (name: string, origin: string) => ({
    tool: { ...doubled, name },
    origin,
    effect: 'pure' as const,
    classification: 'read' as const,
    timeoutMs: 1,
  });
  engineTools.add(named('a', 'one.js'));
  expect(() => engineTools.add(named('a', 'two.js'))).toThrow(
    'Two tools are called a: one of one.js and one of two.js.',
  );
  expect(() => engineTools.add(named('find', 'two.js'))).toThrow(/one of the engine’s own tools and one of two\.js/);
});

test('[S2.R16] tools come and go at run time, and removing says whether there was one', async () => {
  const { engineTools, close } = await openTools(
    { toolModules: ['examples/tools/stock.ts'], mcp: undefined },
    {},
    () => {},
  );
  expect(engineTools.remove('stock')).toBe(true);
  expect(engineTools.remove('stock')).toBe(false);
  expect(engineTools.get('stock')).toBeUndefined();
  await close();
});
