import { isFinal } from '../../../contracts/approvals/unknown-outcome';
import { COMMANDS, EFFECT_CLASS, type BrowserAction } from '../../../contracts/commands/commands';
import { canonicalJson } from '../../../contracts/json';
import type { DecisionRequest, PastCommand, PastIteration } from '../../../contracts/model-port/port';
import { parseInstruction } from '../../../rules/language/parse-instruction';
import { iterationsOfThisTry } from '../../../rules/planning/progress';

/**
 * What speaks against a step that is taken as done: a person has said, or the site has shown, that its commit did not happen, and no other has
 * happened since. Undefined where nothing does.
 */
export function stillToBeDone(past: readonly PastIteration[]): string | undefined {
  const commands = past.flatMap(({ outcomes }) => outcomes);
  const denied = commands.findLastIndex(({ resolution }) => isFinal(resolution) && resolution?.happened === false);
  if (denied < 0 || commands.slice(denied + 1).some(isCommitDone)) return undefined;
  const { action, resolution } = commands[denied]!;
  const who = resolution?.by === 'check' ? 'The site was looked at, and' : 'A person has checked that';
  return `${who} ${action} did not happen, and nothing was done in its place.`;
}

function isCommitDone({ action, status, resolution }: PastCommand): boolean {
  return EFFECT_CLASS[action] === 'commit' && hasHappened({ status, resolution });
}

function hasHappened({ status, resolution }: Pick<PastCommand, 'status' | 'resolution'>): boolean {
  return status === 'done' || resolution?.happened === true;
}

/** What is said under a condition may rightly be left undone. */
const CONDITIONAL = /\b(?:if|unless|when|whenever|in case)\b/i;

/**
 * Names the last command of a step that was to change something and was not done, where no other was done since; or the
 * click that the instruction names and that nothing did. Undefined where nothing was left undone, under a condition, and
 * where a person has taken the browser over: the model has an account of what was done in its place.
 */
export function leftUndone(request: DecisionRequest): string | undefined {
  if (CONDITIONAL.test(request.instruction) || wasHelped(request)) return undefined;
  const commands = commandsOf(request);
  const last = commands.findLast(({ action }) => EFFECT_CLASS[action] !== 'pure');
  if (last !== undefined && isUndone(last, commands)) return `${undoneText(last)}, and nothing was done in its place.`;
  if (!namesClick(request.instruction) || commands.some(mayBeClick)) return undefined;
  return 'The step says to click, and nothing was clicked in it.';
}

function wasHelped({ doneByPersons = [] }: DecisionRequest): boolean {
  return doneByPersons.length > 0;
}

/** Filling in a field is none. */
function mayBeClick({ action, status, resolution }: PastCommand): boolean {
  const isOther = EFFECT_CLASS[action] === 'pure' || action === 'INPUT_TEXT' || action === 'FOCUS_ELEMENT';
  return !isOther && (status === 'unknown' || hasHappened({ status, resolution }));
}

function undoneText({ action, status, error }: PastCommand): string {
  return status === 'failed' ? `${action} failed (${error?.message ?? 'no reason given'})` : `${action} was skipped`;
}

function commandsOf(request: DecisionRequest): PastCommand[] {
  const past = iterationsOfThisTry(request);
  return past.flatMap(({ outcomes }, at) => (isSetAside(outcomes, past.slice(0, at)) ? [] : outcomes));
}

/** The model gave these commands another way, not knowing that what it had done before them happened: that was found out first. */
function isSetAside(outcomes: readonly PastCommand[], before: readonly PastIteration[]): boolean {
  const isSkipped = ({ status }: PastCommand): boolean => status === 'skipped';
  if (!outcomes.every(isSkipped)) return false;
  const last = before.findLast((each) => !each.outcomes.every(isSkipped));
  return last?.outcomes.some(({ resolution }) => resolution?.happened === true) === true;
}

/** A repetition of what was done is not left undone. */
function isUndone(last: PastCommand, commands: readonly PastCommand[]): boolean {
  if (last.status === 'failed') return last.resolution?.happened !== true;
  return last.status === 'skipped' && !commands.some((each) => hasHappened(each) && isSame(each, last));
}

function isSame(one: PastCommand, other: PastCommand): boolean {
  return one.action === other.action && canonicalJson(one.parameters) === canonicalJson(other.parameters);
}

function namesClick(instruction: string): boolean {
  const parsed = parseInstruction(instruction);
  if (parsed.kind !== 'actions') return false;
  return parsed.actions.some(
    ({ intent, condition, until }) => intent.kind === 'click' && condition === undefined && until === undefined,
  );
}

/**
 * Says that nothing was done in a step, or that what it looked for was not there: the words of the page have to show then that
 * it is done. Undefined where something was done, also by a person, and where the step only looks, or has a condition, and nothing is missing.
 */
export function unprovenIn(request: DecisionRequest): string | undefined {
  if (CONDITIONAL.test(request.instruction) || wasHelped(request)) return undefined;
  const commands = commandsOf(request).filter(({ action }) => action !== 'GET_DOM');
  const last = commands.at(-1);
  if (last?.status === 'failed' && EFFECT_CLASS[last.action] === 'pure') return `${undoneText(last)}. ${UNQUOTED}`;
  const hasActed = commands.some((each) => hasHappened(each) || each.status === 'unknown');
  if (hasActed || onlyLooks(request.instruction)) return undefined;
  return `Nothing was done in this step. ${UNQUOTED}`;
}

const UNQUOTED = 'No words of the page were quoted that show the step as done.';

/** Whether a step asks for no deed. */
export function onlyLooks(instruction: string): boolean {
  const parsed = parseInstruction(instruction);
  return parsed.kind === 'actions' && parsed.actions.every(({ intent }) => /^(?:expect|wait|save)/.test(intent.kind));
}

/** Whether a command only gives a field its value, which sends nothing and settles nothing. */
export function isFilling(action: BrowserAction): boolean {
  return EFFECT_CLASS[action] === 'idempotent' && 'selector' in COMMANDS[action].parameters.shape;
}
