import { COMMANDS, STEP_ACTIONS, type StepAction } from '../../../../contracts/commands/commands';
import { isObject, type JsonObject } from '../../../../contracts/json';
import { DecisionAction } from '../../../../contracts/models/ai-response';
import { withPlainReasoning } from './reasoning-scanner';

/** The words by which a model decides, for those of the contract (S1.20). */
export const DECISION_WORDS = {
  act: DecisionAction.RETRY,
  done: DecisionAction.PROCEED,
  cannot: DecisionAction.ABORT,
} as const;
export type DecisionWord = keyof typeof DECISION_WORDS;

/** The function by whose call a model replies. */
export const ANSWER = 'answer';

/** The word of a model for a decision. */
export function wordOf(decision: DecisionAction): DecisionWord {
  return (Object.keys(DECISION_WORDS) as DecisionWord[]).find((word) => DECISION_WORDS[word] === decision)!;
}

/**
 * Brings what a model wrote into the form of a reply (S1.19), where it can mean one reply only: its own words for a decision,
 * single commands, members that a plain reply has no use for. What is left wrong is named by the schema of a reply.
 */
export function asReply(given: unknown): unknown {
  const value = withoutNulls(given);
  if (Array.isArray(value)) return asReply({ commands: value });
  if (!isObject(value)) return value;
  const call = asCall(value);
  if (call?.name === ANSWER) return asReply(call.args);
  if (actionOf(value) !== undefined) return asReply({ commands: [value] });
  const { reasoning, decision, commands: listed, action, message, worked, ...rest } = value;
  const commands = commandList(listed);
  const decided = asDecision(decision ?? action, commands, { message, worked });
  return {
    ...rest,
    reasoning: isObject(reasoning) ? withPlainReasoning(reasoning) : (reasoning ?? NO_REASONING),
    decision: decided,
    // None of them would run.
    commands: decided['action'] === DecisionAction.ABORT ? [] : commands,
  };
}

/** Of a reply without thoughts: sure enough to act, and to be believed where the page does not say otherwise. */
const NO_REASONING = withPlainReasoning({ analysis: '', confidence: 0.7 });

/** What stands beside a decision that is a word: what is said of it, and whether the last commands worked. */
interface Said {
  message: unknown;
  worked: unknown;
}

function asDecision(given: unknown, commands: unknown, { message, worked }: Said): JsonObject {
  const hasCommands = Array.isArray(commands) && commands.length > 0;
  const decision = isObject(given)
    ? given
    : {
        action: given ?? (hasCommands ? DecisionAction.RETRY : undefined),
        ...(message === undefined ? {} : { message }),
        ...(worked === undefined ? {} : { resultValidation: { success: worked } }),
      };
  const { action, resultValidation: judged } = decision;
  return {
    message: '',
    ...decision,
    action: typeof action === 'string' ? decisionOf(action) : action,
    ...(isObject(judged) ? { resultValidation: { expectedElements: [], actualState: '', ...judged } } : {}),
  };
}

function decisionOf(written: string): string {
  const word = written.trim().toLowerCase();
  return Object.hasOwn(DECISION_WORDS, word) ? DECISION_WORDS[word as DecisionWord] : written.trim().toUpperCase();
}

/** Removes members that are null, which models write where a vendor requires every member. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Reads what models write in place of a list of commands: a single command, JSON as text, an action in lower case. */
export function commandList(given: unknown = []): unknown {
  const read = typeof given === 'string' ? readJson(given) : given;
  if (typeof read !== 'object' || read === null) return given;
  return (Array.isArray(read) ? (read as unknown[]) : [read]).map(asCommand);
}

function asCommand(given: unknown): unknown {
  const value = typeof given === 'string' ? (readJson(given) ?? { action: given }) : given;
  if (!isObject(value)) return value;
  const call = asCall(value);
  const written = call === undefined ? value : { action: call.name, parameters: call.args };
  const action = actionOf(written);
  if (action === undefined) return { parameters: {}, ...written };
  const command = withParameters(written, action);
  // A look that takes no parameter is the same with one.
  const { onlyLooks, stepParameters } = COMMANDS[action];
  const takesNone = onlyLooks && Object.keys(stepParameters.shape).length === 0;
  return takesNone ? { action, parameters: {} } : { ...command, action };
}

/** A command or reply in the form of a function call. */
function asCall(value: JsonObject): { name: string; args: unknown } | undefined {
  const { name, arguments: args, ...others } = value;
  if (typeof name !== 'string' || args === undefined || Object.keys(others).some((key) => key !== 'type'))
    return undefined;
  return { name, args: typeof args === 'string' ? (readJson(args) ?? args) : args };
}

function actionOf({ action, name }: JsonObject): StepAction | undefined {
  const written = action ?? name;
  if (typeof written !== 'string') return undefined;
  const plain = written
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_');
  return STEP_ACTIONS.find((each) => each === plain);
}

/** Other names of the member that says which element is meant. */
const ELEMENT_NAMES = ['ref', 'element', 'target'];

/** Takes the parameters from beside the action, where a model left out the object around them. */
function withParameters(command: JsonObject, action: StepAction): JsonObject {
  const known = Object.keys(COMMANDS[action].stepParameters.shape);
  const { parameters: given = {}, ...rest } = command;
  if (!isObject(given)) return command;
  const isParameter = (key: string): boolean =>
    known.includes(key) && !['action', 'reasoning', 'priority'].includes(key);
  const beside = Object.entries(rest).filter(([key]) => isParameter(key) || ELEMENT_NAMES.includes(key));
  const parameters: JsonObject = { ...Object.fromEntries(beside), ...given };
  for (const name of ELEMENT_NAMES) {
    if (known.includes(name) || parameters[name] === undefined || !known.includes('selector')) continue;
    parameters['selector'] ??= parameters[name];
    delete parameters[name];
  }
  const kept = Object.entries(rest).filter(([key]) => !beside.some(([taken]) => taken === key));
  return { ...Object.fromEntries(kept), parameters };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
