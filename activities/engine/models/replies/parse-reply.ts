import { AIResponseSchema, DecisionAction, type AIResponse } from '../../../../contracts/models/ai-response';
import { COMMANDS, ParametersByAction, STEP_ACTIONS } from '../../../../contracts/commands/commands';
import { walkNodes, type PageSnapshot } from '../../../../contracts/browsers/page-snapshot';
import { refIn } from '../../../../rules/page-text/durable-target';
import { isObject } from '../../../../contracts/json';
import { issuesOf } from '../../../../contracts/errors/issues';
import { asReply, commandList } from './as-reply';
import { forgivingParse } from './forgiving-parse';
import { functionCallsIn } from './function-syntax';
import { jsonValuesIn } from './json-in-text';
import { writtenRef } from './written-ref';

/** A longer answer is that of a model that never stops. */
const LONGEST_REPLY = 1_000_000;

export type ParsedReply = { kind: 'valid'; reply: AIResponse } | { kind: 'invalid'; faults: string[]; value: unknown };

/** What a reply is about. */
export interface RepliedTo {
  snapshot: PageSnapshot;
  /** Commands of the step have run, so that a reply without any may look at what came of them. */
  hasActed?: boolean;
}

/** Parses a model's text as a reply (S1.19) and checks what the schema can't: the parameters of each action, and refs. */
export function parseReply(text: string, about: RepliedTo): ParsedReply {
  if (text.length > LONGEST_REPLY) {
    const fault = `expected at most ${LONGEST_REPLY} characters, got ${text.length}`;
    return { kind: 'invalid', faults: [fault], value: undefined };
  }
  const json = jsonIn(text);
  if (json.kind === 'value') return checkReply(json.value, about);
  const written = functionCallsIn(text, commandNamed, COMMAND_FUNCTIONS);
  if (written === undefined) return { kind: 'invalid', faults: [json.fault], value: undefined };
  return checkReply({ commands: written.calls.map(({ name, args }) => ({ name, arguments: args })) }, about);
}

const COMMAND_FUNCTIONS = STEP_ACTIONS.map((name) => ({
  name,
  description: '',
  parameters: { required: Object.keys(COMMANDS[name].stepParameters.shape) },
}));

function commandNamed(written: string): string | undefined {
  return STEP_ACTIONS.find((action) => action === written.toUpperCase());
}

/** Checks a reply that is a value already: the arguments of a function call. */
export function checkReply(given: unknown, about: RepliedTo): ParsedReply {
  const value = withRefs(withLook(asReply(given), about), about.snapshot);
  const parsed = forgivingParse(AIResponseSchema, value);
  if (!parsed.success) {
    const faults = issuesOf(parsed.error).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    return { kind: 'invalid', faults, value };
  }
  const faults = commandFaults(parsed.data, about.snapshot);
  return faults.length === 0 ? { kind: 'valid', reply: parsed.data } : { kind: 'invalid', faults, value };
}

/** After an act, a reply that goes on without commands looks at what came of it. */
function withLook(value: unknown, { hasActed = false }: RepliedTo): unknown {
  if (!hasActed || !isObject(value)) return value;
  const { decision, commands } = value;
  const isBare = isObject(decision) && decision['action'] === DecisionAction.RETRY;
  return isBare && Array.isArray(commands) && commands.length === 0
    ? { ...value, commands: [{ action: 'GET_DOM', parameters: {} }] }
    : value;
}

/** Names elements by their refs, where a model wrote the name of a control or more of its line than the ref. */
function withRefs(value: unknown, snapshot: PageSnapshot): unknown {
  if (!isObject(value) || !Array.isArray(value['commands'])) return value;
  const commands = value['commands'].map((command: unknown) => {
    if (!isObject(command) || !isObject(command['parameters'])) return command;
    const parameters = Object.entries(command['parameters']).map(([key, member]) => {
      const ref = SELECTORS.has(key) && typeof member === 'string' ? writtenRef(member, snapshot) : undefined;
      return [key, ref === undefined || refIn(String(member)) === ref ? member : `ref=${ref}`];
    });
    return { ...command, parameters: Object.fromEntries(parameters) as object };
  });
  return { ...value, commands };
}

const SELECTORS = new Set(['selector', 'toSelector']);

/** Fills a reply with defaults where it does not fit (S1.A26, lenient): PROCEED, confidence 0.5, no commands. */
export function lenientReply(value: unknown, text: string): AIResponse {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Record<string, unknown>>;
  const { decision = {}, reasoning = {} } = given;
  const listed = commandList(given['commands']);
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
    decision: { ...draft.decision, action: isRetry ? DecisionAction.PROCEED : draft.decision.action },
    // The model was sure of what it meant, and this is less: it does not count as done.
    reasoning: { ...draft.reasoning, confidence: Math.min(draft.reasoning.confidence, 0.5) },
    commands: [],
  };
}

const REPLY_MEMBERS = ['decision', 'commands', 'reasoning', 'action', 'arguments'];

/** The JSON in a text, whatever a model wrote around it: of several values the one that is most like a reply. */
export function jsonIn(text: string): { kind: 'value'; value: unknown } | { kind: 'invalid'; fault: string } {
  const found = jsonValuesIn(text.replace(/^\s*<think>[\s\S]*?<\/think>/i, ''));
  const likeness = (value: object): number => REPLY_MEMBERS.filter((member) => member in value).length;
  const [best] = found.toSorted((one, other) => likeness(other.value) - likeness(one.value));
  if (best !== undefined && !(Array.isArray(best.value) && best.value.length === 0))
    return { kind: 'value', value: best.value };
  return text.includes('{')
    ? { kind: 'invalid', fault: `expected one JSON object, got text that is none: ${whyNone(text)}` }
    : { kind: 'invalid', fault: 'expected one JSON object, got none' };
}

function whyNone(text: string): string {
  try {
    JSON.parse(text.slice(text.indexOf('{')));
    return 'it is not whole';
  } catch (error) {
    return (error as Error).message;
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
    const { selector = '' } = parameters;
    const ref = refIn(selector) ?? /^(?:aria-)?ref=(.*)$/.exec(selector)?.[1];
    if (ref !== undefined && !refs.has(ref))
      faults.push(`${path}.selector: the page in this request has no element with the ref ${ref}`);
    return faults;
  });
}
