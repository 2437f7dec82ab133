import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import { ParametersByAction } from '../../../contracts/commands/commands';
import { walkNodes, type PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { issuesOf } from '../../../contracts/sessions/start-request';
import { refIn } from '../../page-text/durable-target';

/** No answer that can be acted on is longer; a model that never ends is. */
const LONGEST_REPLY = 1_000_000;

export type ParsedReply = { kind: 'valid'; reply: AIResponse } | { kind: 'invalid'; faults: string[]; value: unknown };

/** Reads the text of a model as S1.19, and checks what the schema can't say: parameters of each action, and the refs. */
export function parseReply(text: string, snapshot: PageSnapshot): ParsedReply {
  if (text.length > LONGEST_REPLY) {
    const fault = `expected at most ${LONGEST_REPLY} characters, got ${text.length}`;
    return { kind: 'invalid', faults: [fault], value: undefined };
  }
  const json = jsonIn(text);
  if (json.kind === 'invalid') return { kind: 'invalid', faults: [json.fault], value: undefined };
  return checkReply(json.value, snapshot);
}

/** The same for a reply that came as a value: the arguments of a function call. */
export function checkReply(given: unknown, snapshot: PageSnapshot): ParsedReply {
  const value = withCommandList(withoutNulls(given));
  const parsed = AIResponseSchema.safeParse(value);
  if (!parsed.success) {
    const faults = issuesOf(parsed.error).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return { kind: 'invalid', faults, value };
  }
  const faults = commandFaults(parsed.data, snapshot);
  return faults.length === 0 ? { kind: 'valid', reply: parsed.data } : { kind: 'invalid', faults, value };
}

/** S1.A26, lenient: what can be read is kept, the rest becomes PROCEED, confidence 0.5, no commands. */
export function lenientReply(value: unknown, text: string): AIResponse {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Record<string, unknown>>;
  const { decision = {}, reasoning = {} } = given;
  const { commands: listed } = withCommandList(given) as { commands?: unknown };
  const commands: unknown[] = Array.isArray(listed) ? listed : [];
  const told = (member: unknown, otherwise = ''): string => (typeof member === 'string' ? member : otherwise);
  const confidence = Number(reasoning['confidence']);
  const action = decision['action'] as DecisionAction;
  const draft = {
    decision: {
      action: Object.values(DecisionAction).includes(action) ? action : DecisionAction.PROCEED,
      message: told(decision['message']),
    },
    reasoning: {
      analysis: told(reasoning['analysis'], value === undefined ? text.slice(0, 2000) : ''),
      rationale: told(reasoning['rationale']),
      expectedOutcome: told(reasoning['expectedOutcome']),
      confidence: confidence >= 0 && confidence <= 1 ? confidence : 0.5,
    },
  };
  const whole = AIResponseSchema.safeParse({ ...draft, commands });
  if (whole.success) return whole.data;
  // What cannot be run is left out whole: half of a list of commands is not what the model meant.
  const isRetry = draft.decision.action === DecisionAction.RETRY;
  return {
    ...draft,
    decision: { ...draft.decision, action: isRetry ? DecisionAction.PROCEED : draft.decision.action },
    commands: [],
  };
}

/** A model may wrap its JSON in a code fence or a sentence. */
export function jsonIn(text: string): { kind: 'value'; value: unknown } | { kind: 'invalid'; fault: string } {
  const inner = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? text;
  const from = inner.indexOf('{');
  const to = inner.lastIndexOf('}');
  if (from === -1 || to < from) return { kind: 'invalid', fault: 'expected one JSON object, got none' };
  try {
    return { kind: 'value', value: JSON.parse(inner.slice(from, to + 1)) };
  } catch (error) {
    return { kind: 'invalid', fault: `expected one JSON object, got text that is none: ${(error as Error).message}` };
  }
}

/** Vendors that ask for every member get null for those that do not apply. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** What models write for a list of commands and mean as one: a single command, its JSON as text, an action in small letters. */
function withCommandList(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('commands' in value)) return value;
  const { commands } = value;
  const read = typeof commands === 'string' ? readJson(commands) : commands;
  if (typeof read !== 'object' || read === null) return value;
  const list: unknown[] = Array.isArray(read) ? read : [read];
  return { ...value, commands: list.map(withKnownAction) };
}

function withKnownAction(given: unknown): unknown {
  const command = typeof given === 'string' ? (readJson(given) ?? { action: given, parameters: {} }) : given;
  if (typeof command !== 'object' || command === null || !('action' in command)) return command;
  const { action } = command;
  return typeof action === 'string'
    ? {
        ...command,
        action: action
          .trim()
          .toUpperCase()
          .replace(/[\s-]+/g, '_'),
      }
    : command;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function commandFaults({ commands }: AIResponse, snapshot: PageSnapshot): string[] {
  const refs = new Set([...walkNodes(snapshot.nodes)].map(({ node }) => node.ref));
  return commands.flatMap(({ action, parameters }, index) => {
    const path = `commands[${index}].parameters`;
    const parsed = ParametersByAction[action].safeParse(parameters);
    const faults = parsed.success
      ? []
      : issuesOf(parsed.error).map((issue) => `${path}${issue.path === '' ? '' : `.${issue.path}`}: ${issue.message}`);
    const ref = parameters.selector === undefined ? undefined : refIn(parameters.selector);
    if (ref !== undefined && !refs.has(ref))
      faults.push(`${path}.selector: the page in this request has no element with the ref ${ref}`);
    return faults;
  });
}
