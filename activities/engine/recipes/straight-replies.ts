import { COMMANDS } from '../../../contracts/commands/commands';
import { snapshotCommands } from '../../../contracts/commands/definitions/snapshots';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import { canonicalJson } from '../../../contracts/json';
import { DecisionAction } from '../../../contracts/models/ai-response';
import { replayedIn } from '../../../contracts/recipes/in-reply';
import { secondLookIn } from '../../../rules/planning/sight-before';
import type { ReplyRow } from '../../../store/models/step-memory';

/**
 * Whether a step was done part by part, and nothing of it was taken back. A model goes on with “act” (RETRY) also where all
 * went well; `rules` do so only where they try something.
 */
export function wentStraight(replies: readonly ReplyRow[]): boolean {
  const acts = replies.filter(isGoingOn);
  if (acts.length === 0) return replies.every(isExpected);
  const isCorrected = replies.some(
    ({ reply: { decision, context } }) =>
      decision.resultValidation?.success === false || context?.['contradiction'] !== undefined,
  );
  const commands = replies.flatMap((row) => row.commands);
  const deeds = commands.filter(({ action }) => !COMMANDS[action].onlyLooks);
  const isRepeated = new Set(deeds.map(deedOf)).size < deeds.length;
  const goesBack = commands.some(({ action }) => action === 'GO_BACK');
  return !isCorrected && !isRepeated && !goesBack && replies.every((row) => isExpected(row) || isGoingOn(row));
}

/** The same element twice is a second try, whatever was typed into it. */
function deedOf({ action, parameters: { selector, ...others } }: PlannedCommand): string {
  return canonicalJson(selector === undefined ? [action, others] : [action, selector]);
}

/** Whether a model acts without saying that the step is done with it. */
export function isGoingOn({ reply, model }: ReplyRow): boolean {
  return reply.decision.action === DecisionAction.RETRY && model !== 'rules' && replayedIn(reply.context) === undefined;
}

function isExpected(row: ReplyRow): boolean {
  const { reply } = row;
  return (
    reply.decision.action === DecisionAction.PROCEED || replayedIn(reply.context) !== undefined || isSecondLook(row)
  );
}

/** Whether the page was only left alone for a while, to see what changes by itself: a recipe compares the page anyway. */
export function isSecondLook({ reply }: ReplyRow): boolean {
  return secondLookIn(reply) !== undefined;
}

/** Whether a reply only asked to see the page. */
export function isLook({ commands }: ReplyRow): boolean {
  return commands.every(({ action }) => action in snapshotCommands);
}
