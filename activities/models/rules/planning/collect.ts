import { CommandAction, type AIGeneratedCommand } from '../../../../contracts/commands/commands';
import type { DecisionRequest } from '../../port';
import { mayChangePage, needsSnapshot, type Action } from '../grammar/intent';
import type { Page } from '../matching/page-index';
import { refused, type Resolution } from '../matching/resolution';
import { resolveWithInvestigation } from '../matching/resolve-with-investigation';
import { isSo, textAwaited } from './conditions';
import { isIntentMet } from './expectations';
import { endNeverCame } from './messages';
import { actionState, answersNextAction, iterationsOfThisTry, notesOf, roundsOf } from './progress';

interface Entry {
  index: number;
  commands: AIGeneratedCommand[];
  target?: (Resolution & { kind: 'commands' })['target'];
}

/** The actions that one reply does. */
export interface Collected {
  batch: Entry[];
  /** The first action that is left for another reply. */
  end: number;
  skipped: number[];
  repeats: number[];
  stop?: { index: number; why: Resolution };
  /** A text whose appearance would make a condition so. */
  await?: { index: number; text: string };
}

const MOST_ROUNDS = 20;

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
    const action = actions[index];
    if (!action) break;
    const { condition, conditionOf, until } = action;
    if (conditionOf && [...before, ...skipped].includes(actions.indexOf(conditionOf))) {
      skipped.push(index);
      continue;
    }
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
    if (until && roundsOf(index, request.pastIterations) >= MOST_ROUNDS)
      return upTo(index, { stop: { index, why: refused(endNeverCame(request, action, MOST_ROUNDS)) } });
    // A dialog's answer is sent with the click that opens it, so the click must be possible.
    const ahead = opener && resolveWithInvestigation(request, opener, page, undefined);
    if (ahead && ahead.kind !== 'commands') return upTo(index, { stop: { index: index + 1, why: ahead } });
    const resolution = resolveWithInvestigation(request, inRound(request, action, index), page, actions[index - 1]);
    if (resolution.kind !== 'commands') return upTo(index, { stop: { index, why: resolution } });
    if (resolution.commands.length === 0) {
      skipped.push(index);
      continue;
    }
    batch.push({ index, commands: resolution.commands, ...(resolution.target && { target: resolution.target }) });
    if (until) return upTo(index, { repeats: [index] });
    isStale ||=
      // A wait that is met already changes nothing.
      (mayChangePage(action.intent) && isIntentMet(request.snapshot, action.intent) !== true) ||
      resolution.commands.some(({ action: kind }) => kind === CommandAction.CLICK_ELEMENT);
  }
  return upTo(actions.length);
}

/** Going through tabs, each round is another one. */
function inRound(request: DecisionRequest, action: Action, index: number): Action {
  if (action.intent.kind !== 'reveal') return action;
  return { ...action, intent: { ...action.intent, round: roundsOf(index, request.pastIterations) } };
}

/** Whether this action has got its time to appear. */
export function hasWaited(request: DecisionRequest, index: number): boolean {
  const state = actionState(index, iterationsOfThisTry(request));
  return state.kind !== 'done' && state.kind !== 'unknown' && state.hasWaited;
}
