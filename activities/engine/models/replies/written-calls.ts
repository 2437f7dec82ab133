import { isObject } from '../../../../contracts/json';
import type { FunctionTool, GeneratedCall } from '../../../../contracts/model-port/language-model';
import { BROWSER_TOOLS, isBrowserTool, type BrowserToolName } from '../../../../contracts/tools/browser-tools';
import { functionCallsIn, type NameOf } from './function-syntax';
import { jsonValuesIn } from './json-in-text';

/** Calls that a model wrote into its text in place of making them. */
export interface WrittenCalls {
  /** What it says before them. */
  before: string;
  calls: GeneratedCall[];
}

/** What templates of models put around a call. */
const MARK =
  /<tool_call>|<\|?tool_calls?(?:_begin)?\|?>|<function_calls?>|<function=|<invoke\b|<tool_use>|<tool_code>|\[TOOL_CALLS\]|<\|python_tag\|>|```tool_(?:call|code)/i;
const TAGGED = /<(?:invoke\s+name=["']?|function=)([\w.:-]+)["']?\s*>([\s\S]*?)(?:<\/(?:invoke|function)>|$)/gi;
const TAGGED_MEMBER = /<parameter(?:\s+name)?=["']?([\w-]+)["']?\s*>([\s\S]*?)<\/parameter>/gi;
const STEPWISE = /^Action:[ \t]*([\w.-]+)[ \t]*\n+Action Input:[ \t]*([\s\S]+)$/im;
/** JSON that was to be a call, as far as it can be read. */
const BROKEN =
  /^\s*(?:```\w*\s*)?[{[][\s\S]*"(?:name|tool|tool_name|function)"\s*:\s*"([\w.-]+)"[\s\S]*"(?:arguments|args|parameters|input)"\s*:/;
const UNKNOWN = 'unknown_tool';

/**
 * Finds the calls of tools in a model's text: in the marks of its template, as JSON, as function syntax. A call that can't be
 * read is one all the same: it is refused when it is planned, and the model learns why. Undefined for text that is an answer.
 */
export function writtenCalls(given: string, tools: readonly FunctionTool[]): WrittenCalls | undefined {
  const text = given.replace(/^\s*<think>[\s\S]*?<\/think>/i, '');
  const nameOf = toolNames(tools);
  const marked = MARK.exec(text);
  if (marked !== null) {
    const body = text.slice(marked.index);
    const calls =
      taggedCalls(body, nameOf) ?? callsInJson(body, nameOf)?.calls ?? functionCallsIn(body, nameOf, tools)?.calls;
    return { before: text.slice(0, marked.index).trim(), calls: calls ?? [unreadable(body)] };
  }
  const stepwise = STEPWISE.exec(text);
  if (stepwise !== null) {
    const [, name = '', args = ''] = stepwise;
    const [read] = jsonValuesIn(args);
    const call = { name: nameOf(name) ?? name, args: read === undefined ? args.trim() : JSON.stringify(read.value) };
    return { before: text.slice(0, stepwise.index).trim(), calls: [call] };
  }
  const found = callsInJson(text, nameOf) ?? functionCallsIn(text, nameOf, tools);
  if (found !== undefined) return { before: beforeFence(text.slice(0, found.from)), calls: found.calls };
  const [broken, name] = BROKEN.exec(text) ?? [];
  return broken === undefined
    ? undefined
    : { before: '', calls: [{ name: nameOf(name!) ?? name!, args: text.trim() }] };
}

function toolNames(tools: readonly FunctionTool[]): NameOf {
  const names = new Map(tools.map(({ name }) => [name.toLowerCase(), name]));
  const hasBrowser = tools.some(({ name }) => isBrowserTool(name));
  return (written) => {
    const plain = written
      .trim()
      .replace(/^(?:functions?|tools?|default_api|browser)[.:/]/i, '')
      .toLowerCase();
    const known = names.get(plain) ?? names.get(plain.replaceAll(/[-\s]+/g, '_'));
    // The tools that are not declared can be called all the same.
    return known ?? (hasBrowser && isBrowserTool(plain) ? plain : undefined);
  };
}

function unreadable(body: string): GeneratedCall {
  return {
    name: /"(?:name|tool)"\s*:\s*"([\w.-]+)"|<function=([\w.-]+)/.exec(body)?.slice(1).find(Boolean) ?? UNKNOWN,
    args: body,
  };
}

/** The text before a code fence that holds the call. */
function beforeFence(text: string): string {
  return text.replace(/```\w*\s*$/, '').trim();
}

function taggedCalls(body: string, nameOf: NameOf): GeneratedCall[] | undefined {
  const calls = [...body.matchAll(TAGGED)].map(([, name = '', inner = '']) => {
    const members = [...inner.matchAll(TAGGED_MEMBER)].map(([, key, value]) => [key, valueOf(value!.trim())]);
    const [json] = members.length > 0 ? [] : jsonValuesIn(inner);
    const args = members.length > 0 ? JSON.stringify(Object.fromEntries(members)) : json && JSON.stringify(json.value);
    return { name: nameOf(name) ?? name, args: args ?? (inner.trim() || '{}') };
  });
  return calls.length === 0 ? undefined : calls;
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function callsInJson(text: string, nameOf: NameOf): { calls: GeneratedCall[]; from: number } | undefined {
  const found = jsonValuesIn(text).flatMap(({ value, from }) => {
    const calls = toCalls(value, nameOf);
    return calls === undefined ? [] : [{ calls, from }];
  });
  const [first] = found;
  return first === undefined ? undefined : { calls: found.flatMap(({ calls }) => calls), from: first.from };
}

const NAMES = ['name', 'tool', 'tool_name', 'function', 'action'];
const ARGUMENTS = ['arguments', 'args', 'parameters', 'params', 'input', 'tool_input', 'action_input'];

/** The calls that a JSON value stands for; undefined for one that is data. */
function toCalls(value: unknown, nameOf: NameOf): GeneratedCall[] | undefined {
  if (Array.isArray(value)) {
    const each = value.map((one) => toCalls(one, nameOf));
    return each.length > 0 && each.every((calls) => calls !== undefined) ? each.flat() : undefined;
  }
  if (!isObject(value)) return undefined;
  const inner = value['tool_calls'] ?? value['function_call'] ?? value['tool_call'];
  if (inner !== undefined) return toCalls(inner, nameOf);
  if (isObject(value['function'])) return toCalls(value['function'], nameOf);
  const key = NAMES.find((each) => typeof value[each] === 'string');
  const argumentsKey = ARGUMENTS.find((each) => value[each] !== undefined);
  if (key !== undefined) {
    const written = value[key] as string;
    const name = nameOf(written);
    if (argumentsKey !== undefined && key !== 'action')
      return [{ name: name ?? written, args: argumentsText(value[argumentsKey]) }];
    const { [key]: _, ...rest } = value;
    if (name !== undefined)
      return [{ name, args: argumentsText(argumentsKey === undefined ? rest : value[argumentsKey]) }];
    if (key === 'action' && isPointerAction(written)) return [{ name: POINTER, args: JSON.stringify(value) }];
  }
  const [only, ...others] = Object.entries(value);
  if (only !== undefined && others.length === 0 && isObject(only[1])) {
    const name = nameOf(only[0]);
    if (name !== undefined) return [{ name, args: JSON.stringify(only[1]) }];
  }
  return isEnd(value) ? [{ name: 'done', args: JSON.stringify(value) }] : undefined;
}

const POINTER = 'computer' satisfies BrowserToolName;

/** Whether this is one of the actions by which this tool knows its calls. */
function isPointerAction(action: string): boolean {
  return BROWSER_TOOLS[POINTER].parameters.shape.action.safeParse(action).success;
}

function argumentsText(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}

/** The arguments of the call that ends a task, by themselves. */
function isEnd(value: Record<string, unknown>): boolean {
  const { success, answer, evidence: _, ...others } = value;
  return typeof success === 'boolean' && typeof answer === 'string' && Object.keys(others).length === 0;
}
