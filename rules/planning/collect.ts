import { CommandAction, type AIGeneratedCommand } from '../../contracts/commands/commands';
import { MOST_REPETITIONS } from '../../contracts/recipes/condition';
import type { DecisionRequest } from '../../contracts/model-port/port';
import type { Description } from '../language/description';
import { mayChangePage, needsSnapshot, type Action, type Condition, type Intent } from '../language/intent';
import { countOf } from '../matching/find';
import { TO_CLICK } from '../matching/purpose';
import type { Split } from './pieces';
import { splitHere } from './split-here';
import { isNextPage, openerKey } from '../matching/resolve-reveal';
import type { Page } from '../matching/page-index';
import { refused, type TargetSearch } from '../matching/resolution';
import { textOf } from '../matching/read-by-words';
import { asDeedOfPage, byAllWords, READ_BY_WORDS } from './by-all-words';
import { isGivenHere } from './given';
import { isNew, questionOn } from '../matching/read-answer';
import { backToTab, tabToLook } from '../matching/look-elsewhere';
import { openedFrom, type Opened } from '../matching/read-way';
import { isAnswered, loneAnswer, withAnswer } from './answers';
import { isSo, textAwaited } from './conditions';
import { isIntentMet } from './expectations';
import { valueWithoutName } from '../matching/value-without-name';
import { lastLook } from './last-look';
import { endNeverCame, secretNames } from './messages';
import { namedBySecret } from './variables';
import { actionState, answersNextAction, iterationsOfThisTry, notesOf, openedBy, roundsOf } from './progress';

interface Entry {
  index: number;
  commands: AIGeneratedCommand[];
  target?: (TargetSearch & { kind: 'commands' })['target'];
}

/** The actions that one reply does. */
export interface Collected {
  batch: Entry[];
  /** The first action that is left for another reply. */
  end: number;
  skipped: number[];
  repeats: number[];
  opened?: { key: string; count: number };
  stop?: { index: number; why: TargetSearch };
  /** An action that the page shows to be several. */
  split?: Split;
  /** A text whose appearance would make a condition so. */
  await?: { index: number; text: string };
}

/** Collects the actions that this snapshot can resolve, in order, up to the first that needs another snapshot. */
export function collect(request: DecisionRequest, page: Page, actions: readonly Action[], from: number): Collected {
  const batch: Entry[] = [];
  const skipped: number[] = [];
  const before = request.pastIterations.flatMap((iteration) => notesOf(iteration).skipped);
  const upTo = (end: number, more: Partial<Collected> = {}): Collected => ({
    batch,
    end,
    skipped,
    repeats: [],
    ...more,
  });
  let isStale = false;
  for (let index = from; index < actions.length; index += 1) {
    const action = asDeedOfPage(page, inRound(request, actions, index));
    const { condition, conditionOf, until } = action;
    if (conditionOf && [...before, ...skipped].includes(actions.indexOf(conditionOf))) {
      skipped.push(index);
      continue;
    }
    if (isAnswered(request, actions, index) || (index === 0 && isGivenHere(page, action))) {
      skipped.push(index);
      continue;
    }
    const secret = namedBySecret(action);
    if (secret !== undefined) return upTo(index, { stop: { index, why: refused(secretNames(secret)) } });
    const opener = answersNextAction(actions, index) ? actions[index + 1] : undefined;
    const isBound = condition !== undefined || until !== undefined;
    if (isStale && (isBound || needsSnapshot(action.intent) || (opener && needsSnapshot(opener.intent))))
      return upTo(index);
    if (condition && !isSo(request.snapshot, page, action, condition)) {
      const text = textAwaited(condition, action.intent);
      if (text !== undefined && batch.length === 0 && !hasWaited(request, index))
        return upTo(index, { await: { index, text } });
      skipped.push(index);
      continue;
    }
    if (until && isSo(request.snapshot, page, action, until)) {
      skipped.push(index);
      continue;
    }
    const isSearch = action.intent.kind === 'reveal' && SEARCHES.includes(action.intent.through);
    if (until && isSearch) {
      const text = textAwaited(until, action.intent);
      if (text !== undefined && batch.length === 0 && !hasWaited(request, index))
        return upTo(index, { await: { index, text } });
    }
    const most = action.most ?? MOST_REPETITIONS;
    if (until && roundsOf(index, request.pastIterations) >= most) {
      if (isSearch) {
        skipped.push(index);
        continue;
      }
      return upTo(index, { stop: { index, why: refused(endNeverCame(request, action, most)) } });
    }
    // A dialog's answer is sent with the click that opens it, so the click must be possible.
    const ahead = opener && byAllWords(request, page, opener, index + 1, action);
    if (ahead && ahead.kind !== 'commands') return upTo(index, { stop: { index: index + 1, why: ahead } });
    const read = loneAnswer(page, actions, index) ?? byAllWords(request, page, action, index, actions[index - 1]);
    const resolution = read.kind === 'commands' ? valueWithoutName(action, read) : read;
    if (resolution.kind !== 'commands') {
      const isWords = !condition && !until && READ_BY_WORDS.has(action.intent.kind);
      const split = isWords ? splitHere(request, page, action, index, index === actions.length - 1) : undefined;
      const look =
        isWords && split === undefined && index === 0 && resolution.kind !== 'several'
          ? lookElsewhere(request, page, action)
          : undefined;
      const isVain = split === undefined && look === undefined && resolution.kind !== 'several';
      const seen = look ?? (isVain ? backToTab(page, openedBefore(request, index)) : undefined);
      if (seen?.kind === 'commands') {
        batch.push({ index, commands: seen.commands });
        return upTo(index, { repeats: [index], opened: { key: seen.opens!.join('|'), count: 0 } });
      }
      return upTo(index, { stop: { index, why: resolution }, ...(split && { split }) });
    }
    const why = lastLook(request, page, action, index, resolution);
    if (why !== undefined) return upTo(index, { stop: { index, why } });
    const failed = actionState(index, iterationsOfThisTry(request));
    if (failed.kind === 'failed' && resolution.target && isNew(resolution.target) && questionOn(page) !== undefined)
      return upTo(index, {
        stop: { index, why: refused(`“${action.said}” was not done, and a dialog has come since. Answer it first.`) },
      });
    if (resolution.commands.length === 0) {
      skipped.push(index);
      continue;
    }
    const commands = withAnswer(actions, index, resolution.commands);
    batch.push({ index, commands, ...(resolution.target && { target: resolution.target }) });
    if (resolution.opens)
      return upTo(index, { repeats: [index], opened: { key: resolution.opens.join('|'), count: 0 } });
    if (until) return upTo(index, { repeats: [index], ...openedWith(page, action, resolution) });
    isStale ||=
      // A wait that is met already changes nothing.
      (mayChangePage(action.intent) && isIntentMet(request.snapshot, action.intent) !== true) ||
      resolution.commands.some(({ action: kind }) => kind === CommandAction.CLICK_ELEMENT) ||
      // A box may show fields, or hide them.
      (resolution.commands.some(({ action: kind }) => kind === 'SET_CHECKED') &&
        FILLS_IN.has(actions[index + 1]?.intent.kind ?? ''));
  }
  return upTo(actions.length);
}

const openedBefore = ({ pastIterations }: DecisionRequest, index: number): Opened =>
  openedFrom(openedBy(index, pastIterations).map(({ key }) => key));

/** The next tab in which the first action may be. */
function lookElsewhere(request: DecisionRequest, page: Page, action: Action): TargetSearch | undefined {
  const opened = openedBefore(request, 0);
  return opened.count > 0 ? undefined : tabToLook(page, textOf(action), opened);
}

const FILLS_IN: ReadonlySet<string> = new Set(['type', 'set', 'set-each', 'words', 'search']);
const SEARCHES: readonly string[] = ['anything', 'more'];

/** An action after what its search has opened, or the search before it: on the second page the fifth of three is the second. */
function inRound(request: DecisionRequest, actions: readonly Action[], index: number): Action {
  const action = actions[index]!;
  const searches = action.intent.kind === 'reveal' ? index : index - 1;
  if (actions[searches]?.intent.kind !== 'reveal') return action;
  const opened = openedBy(searches, request.pastIterations);
  const count = opened.reduce((sum, each) => sum + each.count, 0);
  if (action.intent.kind !== 'reveal')
    return count === 0 ? action : { ...action, intent: countedFrom(action.intent, count) };
  const { until } = action;
  const subject = until?.kind === 'element' ? until.subject : undefined;
  return {
    ...action,
    intent: { ...action.intent, passed: opened.map(({ key }) => key) },
    ...(until && subject && { until: { ...until, subject: afterThose(subject, count) } as Condition }),
  };
}

function countedFrom(intent: Intent, count: number): Intent {
  return 'target' in intent && intent.target ? { ...intent, target: afterThose(intent.target, count) } : intent;
}

function afterThose(description: Description, count: number): Description {
  const readings = description.readings.map((reading) =>
    reading.ordinal !== undefined && reading.ordinal > count
      ? { ...reading, ordinal: reading.ordinal - count }
      : reading,
  );
  return { ...description, readings };
}

/** Notes what a round of a search opens. With the next page those of this one are passed. */
function openedWith(page: Page, { intent, until }: Action, resolution: TargetSearch): Pick<Collected, 'opened'> {
  const target = resolution.kind === 'commands' ? resolution.target : undefined;
  if (intent.kind !== 'reveal' || target === undefined) return {};
  const subject = until?.kind === 'element' ? until.subject : undefined;
  const count = subject && isNextPage(target) ? countOf(page, subject, TO_CLICK) : 0;
  return { opened: { key: openerKey(page, target), count } };
}

/** Whether this action has got its time to appear. */
export function hasWaited(request: DecisionRequest, index: number): boolean {
  const state = actionState(index, iterationsOfThisTry(request));
  return state.kind !== 'done' && state.kind !== 'unknown' && state.hasWaited;
}
