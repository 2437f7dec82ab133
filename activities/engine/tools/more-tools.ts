import { z } from 'zod';
import { parseObject } from '../../../contracts/json';
import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { AgentConfig } from '../../../contracts/tasks/agent-config';
import { BROWSER_TOOLS, isBrowserTool, type BrowserToolName } from '../../../contracts/tools/browser-tools';
import { defineTool } from '../../../contracts/tools/define-tool';
import type { CalledFunction, FunctionTool } from '../../../contracts/model-port/language-model';
import { toPortableSchema } from '../models/portable-schema';
import { toReplySchema } from '../models/replies/reply-schema';
import type { EngineTool } from './engine-tool';

/** Browser tools that every task needs. Each declaration is input that is paid for in every call. */
const CORE = new Set<string>(['read_page', 'find', 'form_input', 'computer', 'navigate'] satisfies BrowserToolName[]);
/** For tasks that are to return data. */
const FOR_RESULTS = new Set<string>(['extract'] satisfies BrowserToolName[]);

/** What the others are for, where their names do not say it. */
const HINTS: Partial<Record<BrowserToolName, string>> = {
  wait: 'for a text',
  dialogs: 'answers',
  choose: 'in comboboxes',
  computer: 'zoom, keys held',
  gesture: 'hold, drag, drop files',
  extract: 'data as JSON',
};

const others = Object.keys(BROWSER_TOOLS)
  .filter(isBrowserTool)
  .filter((name) => !CORE.has(name) || name === 'computer');

/** Few tasks need these: they are named on demand. */
const UNNAMED = new Set<BrowserToolName>([
  'set_viewport',
  'set_geolocation',
  'set_permissions',
  'set_http_credentials',
  'reload',
]);

const MoreToolsSchema = z.strictObject({
  tool: z.string(),
  args: z.string().optional().describe('as JSON; without it the tool is described'),
});

/**
 * Calls the browser tools that are not declared to a model, or describes one of them. The declaration is the same in every
 * call, so that vendors' caches hold it. A caller's own tool of this name takes its place.
 */
export const MORE_TOOLS: FunctionTool = {
  name: 'more_tools',
  description: `Calls a further tool: ${others
    .filter((name) => !UNNAMED.has(name))
    .map(hinted)
    .join(', ')}; list names more.`,
  parameters: toPortableSchema(toReplySchema(MoreToolsSchema)),
};

function hinted(name: BrowserToolName): string {
  const hint = HINTS[name];
  return hint === undefined ? name : `${name} (${hint})`;
}

/** A session that names its tools, or whose browser is another process's, has all of them declared. */
export function hasMoreTools({ executor, tools }: Pick<AgentConfig, 'executor' | 'tools'>): boolean {
  return executor === 'playwright' && tools === undefined;
}

/** The tools that are declared to a model; it reaches the other ones by MORE_TOOLS. */
export function firstTools(tools: readonly FunctionTool[], { isForResult }: { isForResult: boolean }): FunctionTool[] {
  const isFirst = ({ name }: FunctionTool): boolean =>
    !isBrowserTool(name) || CORE.has(name) || (isForResult && FOR_RESULTS.has(name));
  const isTaken = tools.some(({ name }) => name === MORE_TOOLS.name);
  return isTaken || tools.every(isFirst) ? [...tools] : [...tools.filter(isFirst).map(withPlainMembers), MORE_TOOLS];
}

/** Members and values that a plain task has no use for: they are taken all the same, and MORE_TOOLS describes the tool whole. */
const RARE: Partial<Record<string, readonly string[]>> = {
  read_page: ['filter', 'max_chars'],
  computer: ['start_coordinate', 'modifiers', 'duration', 'scroll_amount', 'region'],
} satisfies Partial<Record<BrowserToolName, readonly string[]>>;
const RARE_ACTIONS = new Set(['triple_click', 'zoom', 'wait', 'scroll_to', 'left_click_drag']);

function withPlainMembers(tool: FunctionTool): FunctionTool {
  const rare = isBrowserTool(tool.name) ? RARE[tool.name] : undefined;
  if (rare === undefined) return tool;
  const { properties = {}, ...parameters } = tool.parameters;
  const kept = Object.entries(properties).filter(([name]) => !rare.includes(name));
  const plain = kept.map(([name, { enum: values, ...member }]) => [
    name,
    values === undefined ? member : { ...member, enum: values.filter((value) => !RARE_ACTIONS.has(value)) },
  ]);
  return { ...tool, parameters: { ...parameters, properties: Object.fromEntries(plain) as typeof properties } };
}

/** A call of MORE_TOOLS as the call of the tool that it is for; one that asks for a description stays what it is. */
export function unwrapped<T extends Pick<CalledFunction, 'name' | 'args'>>(call: T): T & Pick<CalledFunction, 'via'> {
  const given = call.name === MORE_TOOLS.name ? parseObject(call.args) : undefined;
  if (typeof given?.['tool'] !== 'string' || given['args'] === undefined || given['args'] === null) return call;
  const { tool, args } = given;
  return { ...call, name: tool, args: typeof args === 'string' ? args : JSON.stringify(args), via: MORE_TOOLS.name };
}

/** A call as the model wrote it. */
export function asWritten<T extends CalledFunction>({ via, ...call }: T): Omit<T, 'via'> {
  if (via === undefined) return call;
  return { ...call, name: via, args: JSON.stringify({ tool: call.name, args: call.args }) };
}

/** The tools of MORE_TOOLS that the elements of a page, or its tabs, are for. */
export function toolsForPage({ nodes, tabs }: PageSnapshot): BrowserToolName[] {
  const found = new Set<BrowserToolName>();
  if (tabs.length > 1) found.add('tabs');
  for (const { node } of walkNodes(nodes)) {
    const { role, states = [], children = [] } = node;
    if (states.includes('type=file')) found.add('upload');
    if (states.includes('popup')) found.add('menu');
    if (states.includes('draggable')) found.add('gesture');
    const isOwnList = role === 'combobox' && children.length === 0;
    if (states.includes('multiple') || states.includes('popup=listbox') || isOwnList) found.add('choose');
  }
  return [...found];
}

export function callDescription(tool: BrowserToolName): string {
  return `For this page, more_tools calls ${describe(tool)}`;
}

/** Describes one of the browser tools that are not declared. */
export const DESCRIBE_TOOL: EngineTool = {
  tool: defineTool({
    name: MORE_TOOLS.name,
    description: MORE_TOOLS.description,
    parameters: MoreToolsSchema,
    async execute({ tool }) {
      if (tool === 'list') return others.join(', ');
      if (!isBrowserTool(tool)) throw new Error(`There is no tool “${tool}”. The tools are ${others.join(', ')}.`);
      return describe(tool);
    },
  }),
  origin: 'the engine',
  effect: 'pure',
  classification: 'read',
  timeoutMs: 10_000,
};

function describe(tool: BrowserToolName): string {
  const { description, parameters } = BROWSER_TOOLS[tool];
  return `${tool}: ${description}\nargs: ${JSON.stringify(toPortableSchema(toReplySchema(parameters)))}`;
}
