import type { PageSnapshot } from '../../contracts/browsers/page-snapshot';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import { DecisionAction } from '../../contracts/models/ai-response';
import type { OutcomePolicy } from '../../contracts/sessions/outcome-policy';
import { containsText } from '../../rules/page-text/contains-text';
import type { PastIteration } from '../../contracts/model-port/port';
import type { Action } from '../../rules/language/intent';
import { parseInstruction } from '../../rules/language/parse-instruction';
import { indexPage, type Item, type Page } from '../../rules/matching/page-index';
import { resolve } from '../../rules/matching/resolve';
import { decideByRules } from '../../rules/planning/decide';
import { notesOf } from '../../rules/planning/progress';
import type { OwnNotes } from './notes';

/** What a character has in front of it: all of it was read out of one prompt. */
export interface Situation {
  instruction: string;
  past: PastIteration[];
  page: PageSnapshot;
  variables: string[];
  mayAct: boolean;
}

export type Thought =
  | { kind: 'act'; said: string; commands: AIGeneratedCommand[]; notes: OwnNotes; isWhole: boolean }
  | { kind: 'done'; said: string; notes: OwnNotes }
  | { kind: 'lost'; said: string };

const MOST_TRIES = 3;
/** What the page says against a step is to be corrected, where that is possible. */
const CORRECTS_ITSELF: OutcomePolicy = {
  httpErrors: 'ignore',
  messages: 'ignore',
  invalidFields: 'ignore',
  unansweredDialogs: 'ignore',
  signInPages: 'ignore',
};
/** What a page shows of a password that is filled in. */
const HIDDEN = '[secret]';

/**
 * The common sense of every character: it understands the sentences that `rules` understands, plans on the page that the
 * prompt shows, does not fill in what is filled in, and corrects a form that the page refuses.
 */
export function think(situation: Situation): Thought {
  const { instruction, page: snapshot, variables, mayAct } = situation;
  const parsed = parseInstruction(instruction);
  const actions = parsed.kind === 'actions' ? parsed.actions : [];
  const page = indexPage(snapshot);
  const past = [...situation.past.map(withoutFirstSlip), filledIn(actions, page, situation)];
  const { decision, reasoning, commands, context } = decideByRules({
    instruction,
    pastIterations: past,
    snapshot,
    variables,
    mayAct,
    stepIndex: 0,
    iteration: situation.past.length,
    maxIterations: Infinity,
    outcomes: CORRECTS_ITSELF,
  });
  if (decision.action === DecisionAction.ABORT)
    return { kind: 'lost', said: [decision.message, ...problemsOn(page)].join(' The page says: ') };
  const notes = (context ?? {}) as unknown as OwnNotes;
  if (commands.length === 0) {
    const correction = refusal(actions, page, situation) ?? wrongFields(actions, page, situation);
    return (
      correction ?? { kind: 'done', said: 'The page shows that all of it is done.', notes: { ...notes, plan: [] } }
    );
  }
  const isWhole = decision.action === DecisionAction.PROCEED && reasoning.confidence > 0.7;
  return { kind: 'act', said: reasoning.rationale, commands, notes, isWhole };
}

/** A field that did not take its text was perhaps the wrong one: what failed in the first attempt counts as not tried. */
function withoutFirstSlip(iteration: PastIteration, index: number): PastIteration {
  if (index > 0) return iteration;
  const outcomes = iteration.outcomes.map((outcome) =>
    outcome.status === 'failed' && outcome.action === 'INPUT_TEXT'
      ? { ...outcome, status: 'skipped' as const }
      : outcome,
  );
  return { ...iteration, outcomes };
}

/** Marks as done what the fields of the page hold already, and what belonged to a form that is sent and gone. */
function filledIn(actions: readonly Action[], page: Page, { past }: Situation): PastIteration {
  const sent = lastSent(actions, past);
  const skipped = actions.flatMap((action, index) => {
    if (isTyping(action) && !isHidden(action, page) && holds(action, page)) return [index];
    return isFilling(action) && index < sent && resolve(action, page).kind !== 'commands' ? [index] : [];
  });
  return {
    decision: { action: DecisionAction.RETRY, message: '' },
    reasoning: { analysis: '', rationale: '', expectedOutcome: '', confidence: 1 },
    commands: [],
    context: { skipped },
    outcomes: [],
  };
}

/** The last part that sent something, as far as the attempts say; -1 where there is none. */
function lastSent(actions: readonly Action[], past: readonly PastIteration[]): number {
  const done = past.flatMap((each) => notesOf(each).plan.filter((_, at) => each.outcomes[at]?.status === 'done'));
  return Math.max(-1, ...done.filter((index) => !isField(actions[index]?.intent.kind ?? 'save')));
}

const isTyping = ({ intent }: Action): boolean => intent.kind === 'type' || intent.kind === 'set';
const isFilling = (action: Action): boolean =>
  isTyping(action) || action.intent.kind === 'choose' || action.intent.kind === 'check';

/** Whether the page shows that a field, list or box has what the action gives it. */
function holds(action: Action, page: Page): boolean {
  const { intent } = action;
  const resolution = resolve(action, page);
  if (resolution.kind !== 'commands') return false;
  const { target, commands } = resolution;
  if (intent.kind === 'check' && target !== undefined) return (target.node?.checked === true) === intent.checked;
  if (intent.kind === 'choose' && target !== undefined)
    return target.node?.checked === true || intent.alternatives.some(({ option }) => isChosen(target, option));
  const wanted = intent.kind === 'type' ? intent.text : intent.kind === 'set' ? intent.value : undefined;
  if (wanted === undefined) return commands.length === 0;
  const shown = valueOf(target);
  return wanted.includes('${') ? shown !== '' : shown === wanted || shown === HIDDEN;
}

/** What a field of a password holds may be another one than the one that is to be typed. */
function isHidden(action: Action, page: Page): boolean {
  const resolution = resolve(action, page);
  return resolution.kind === 'commands' && valueOf(resolution.target) === HIDDEN;
}

function isChosen({ node, children }: Item, option: string): boolean {
  return node?.text === option || children.some((child) => child.node?.selected === true && child.label === option);
}

function valueOf(item: Item | undefined): string {
  return item?.node?.text ?? item?.node?.value ?? '';
}

/**
 * What to do about a form that was sent, and that the page refuses: fill in what is not so, and send it again. A form that
 * has all that the instruction gives, and is refused, can't be helped.
 */
function refusal(actions: readonly Action[], page: Page, { past, instruction }: Situation): Thought | undefined {
  const problems = problemsOn(page);
  const isExpected = actions.some(
    ({ intent }) =>
      'text' in intent && intent.kind.startsWith('expect') && problems.some((each) => containsText(each, intent.text!)),
  );
  const last = actions.findLastIndex(({ intent }) => intent.kind === 'click' || intent.kind === 'press');
  if (problems.length === 0 || isExpected || last === -1) return undefined;
  const sending = resolve(actions[last]!, page, actions[last - 1]);
  if (sending.kind !== 'commands') return undefined;
  const sent = past.filter((each) => notesOf(each).plan.includes(last)).length;
  const missing = actions.flatMap((action, index) => {
    const resolution = index < last && isFilling(action) && !holds(action, page) ? resolve(action, page) : undefined;
    return resolution?.kind === 'commands' ? [{ index, commands: resolution.commands }] : [];
  });
  const wasSentLast = past.length > 0 && notesOf(past.at(-1)!).plan.includes(last);
  if (sent >= MOST_TRIES || (missing.length === 0 && wasSentLast))
    return { kind: 'lost', said: `The page refuses it: ${problems.join(' ')} (The step: ${instruction})` };
  const parts = [...missing, { index: last, commands: sending.commands }];
  return {
    kind: 'act',
    said: `The page says: ${problems.join(' ')}. I correct it and send it again.`,
    commands: parts.flatMap(({ commands }) => commands),
    notes: { plan: parts.flatMap(({ index, commands }) => commands.map(() => index)) },
    isWhole: true,
  };
}

/** Fills in what was typed and is not there: it went somewhere else. A form that was sent may be empty for good reason. */
function wrongFields(actions: readonly Action[], page: Page, { past }: Situation): Thought | undefined {
  const sent = problemsOn(page).length > 0 ? -1 : actions.findLastIndex(({ intent }) => !isField(intent.kind));
  const wrong = actions.flatMap((action, index) => {
    const resolution = isTyping(action) && index > sent ? resolve(action, page) : undefined;
    if (resolution?.kind !== 'commands' || resolution.target === undefined) return [];
    return isAnother(action, valueOf(resolution.target)) ? [{ index, commands: resolution.commands }] : [];
  });
  const [first] = wrong;
  if (first === undefined) return undefined;
  const tries = past.filter((each) => notesOf(each).plan.includes(first.index)).length;
  if (tries >= MOST_TRIES) return { kind: 'lost', said: `The field does not keep it: ${actions[first.index]!.said}` };
  return {
    kind: 'act',
    said: 'A field does not hold what I typed. I fill it in again.',
    commands: wrong.flatMap(({ commands }) => commands),
    notes: { plan: wrong.flatMap(({ index, commands }) => commands.map(() => index)) },
    isWhole: true,
  };
}

/** Whether a field shows another text than it got. Pages write dates and numbers in their own way. */
function isAnother({ intent }: Action, shown: string): boolean {
  const text = intent.kind === 'type' ? intent.text : intent.kind === 'set' ? intent.value : '';
  if (shown === HIDDEN) return false;
  const [own, wanted] = [shown, text].map((each) => (each.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []).join(''));
  return own === '' ? text !== '' : !text.includes('${') && !own!.includes(wanted!) && /\p{L}/u.test(wanted!);
}

const isField = (kind: Action['intent']['kind']): boolean =>
  ['type', 'set', 'choose', 'check', 'save'].includes(kind) || kind.startsWith('expect');

function problemsOn({ items }: Page): string[] {
  const alerts = items.filter(({ role, text }) => role === 'alert' && text.trim() !== '').map(({ text }) => text);
  const fields = items.flatMap(({ node }) =>
    node?.invalid === undefined || node.invalid === false ? [] : [`${node.name ?? 'A field'} is not accepted`],
  );
  return [...alerts, ...fields];
}
