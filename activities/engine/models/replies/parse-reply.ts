import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../../contracts/models/ai-response';
import { ParametersByAction } from '../../../../contracts/commands/commands';
import { walkNodes, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { refIn } from '../../../../rules/page-text/durable-target';
import { isObject } from '../../../../contracts/json';
import { issuesOf } from '../../../../contracts/errors/issues';

/** A longer answer is that of a model that never stops. */
const LONGEST_REPLY = 1_000_000;

export type ParsedReply = { kind: 'valid'; reply: AIResponse } | { kind: 'invalid'; faults: string[]; value: unknown };

/** Parses a model's text as a reply (S1.19) and checks what the schema can't: the parameters of each action, and refs. */
export function parseReply(text: string, snapshot: PageSnapshot): ParsedReply {
  if (text.length > LONGEST_REPLY) {
    const fault = `expected at most ${LONGEST_REPLY} characters, got ${text.length}`;
    return { kind: 'invalid', faults: [fault], value: undefined };
  }
  const json = jsonIn(text);
  if (json.kind === 'invalid') return { kind: 'invalid', faults: [json.fault], value: undefined };
  return checkReply(json.value, snapshot);
}

/** Checks a reply that is a value already: the arguments of a function call. */
export function checkReply(given: unknown, snapshot: PageSnapshot): ParsedReply {
  const value = withPlainMembers(withCommandList(withoutNulls(given)));
  const parsed = AIResponseSchema.safeParse(value);
  if (!parsed.success) {
    const faults = issuesOf(parsed.error).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return { kind: 'invalid', faults, value };
  }
  const faults = commandFaults(parsed.data, snapshot);
  return faults.length === 0 ? { kind: 'valid', reply: parsed.data } : { kind: 'invalid', faults, value };
}

/** Fills a reply with defaults where it does not fit (S1.A26, lenient): PROCEED, confidence 0.5, no commands. */
export function lenientReply(value: unknown, text: string): AIResponse {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Record<string, unknown>>;
  const { decision = {}, reasoning = {} } = given;
  const { commands: listed } = withCommandList(given) as { commands?: unknown };
  const commands: unknown[] = Array.isArray(listed) ? listed : [];
  const textOr = (member: unknown, otherwise = ''): string => (typeof member === 'string' ? member : otherwise);
  const confidence = Number(reasoning['confidence']);
  const action = decision['action'] as DecisionAction;
  const draft = {
    decision: {
      action: Object.values(DecisionAction).includes(action) ? action : DecisionAction.PROCEED,
      message: textOr(decision['message']),
    },
    reasoning: {
      analysis: textOr(reasoning['analysis'], value === undefined ? text.slice(0, 2000) : ''),
      rationale: textOr(reasoning['rationale']),
      expectedOutcome: textOr(reasoning['expectedOutcome']),
      confidence: confidence >= 0 && confidence <= 1 ? confidence : 0.5,
    },
  };
  const whole = AIResponseSchema.safeParse({ ...draft, commands });
  if (whole.success) return whole.data;
  // A list with an invalid command is left out whole: half of it is not what the model meant.
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

/** Removes members that are null, which models write where a vendor requires every member. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Fills in what the schema of a reply does not ask for (reply-schema.ts), because a plain reply has no use for it. */
function withPlainMembers(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { reasoning, decision, commands = [] } = value;
  const judged = isObject(decision) ? decision['resultValidation'] : undefined;
  return {
    ...value,
    ...(isObject(reasoning) ? { reasoning: withPlainReasoning(reasoning) } : {}),
    ...(isObject(judged)
      ? {
          decision: { ...(decision as object), resultValidation: { expectedElements: [], actualState: '', ...judged } },
        }
      : {}),
    commands: Array.isArray(commands)
      ? commands.map((command: unknown) => (isObject(command) ? { parameters: {}, ...command } : command))
      : commands,
  };
}

export function withPlainReasoning(reasoning: Record<string, unknown>): object {
  return { rationale: '', expectedOutcome: '', ...reasoning };
}

/** Reads what models write in place of a list of commands: a single command, JSON as text, an action in lower case. */
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
