import { DecisionAction } from '../../contracts/models/ai-response';
import type { UnknownCommit } from '../../activities/signatures/engine-activities';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { UnknownJudgement, UnknownOutcome } from '../../contracts/approvals/unknown-outcome';

export type AfterUnknown =
  | { kind: 'go-on' }
  /** The model takes these commits as done. */
  | { kind: 'judged'; commandIds: string[] }
  | { kind: 'ask'; unknown: UnknownOutcome };

/** What `afterUnknown` needs to know of a model's reply. */
interface ReplyAfterUnknown {
  decision: DecisionAction;
  commands: readonly PlannedCommand[];
  judgement?: UnknownJudgement | undefined;
  hasCommit?: boolean | undefined;
  hasRepeats?: boolean | undefined;
}

/**
 * What a reply means for commits with an unknown outcome that no person has resolved. A command that would repeat such a
 * commit never runs, even if an earlier reply took the commit as done: a person is asked first. No other commit runs before
 * the unknown one is judged either, because it may be the same one by another way: Enter instead of the button, or the
 * button under another name. A person is also asked when the model can't know the outcome, or gives up in the call that has
 * to judge it. PROCEED without commands means that it happened; commands that only look mean that the model is still looking.
 */
export function afterUnknown(reply: ReplyAfterUnknown, commits: readonly UnknownCommit[]): AfterUnknown {
  const forgotten = commits.find(({ witnesses }) => witnesses !== undefined);
  if (forgotten !== undefined) return ask(forgotten);
  const repeated = commits.find((commit) => reply.commands.some((command) => mayRepeat(command, commit)));
  if (repeated !== undefined) return ask(repeated);
  const open = commits.filter(({ isJudged }) => !isJudged);
  const newest = open.at(-1);
  if (newest === undefined) return { kind: 'go-on' };
  if (reply.judgement === 'cannot-know') return ask(newest);
  const isJudged = reply.judgement === 'happened';
  if (!isJudged && reply.hasCommit === true) return ask(newest);
  const saysDone =
    reply.decision === DecisionAction.PROCEED && reply.commands.length === 0 && reply.hasRepeats !== true;
  if (isJudged || saysDone) return { kind: 'judged', commandIds: open.map(({ commandId }) => commandId) };
  return reply.decision === DecisionAction.ABORT ? ask(newest) : { kind: 'go-on' };
}

function ask(commit: UnknownCommit): AfterUnknown {
  const { isJudged: _isJudged, ...unknown } = commit;
  return { kind: 'ask', unknown };
}

/**
 * Whether a command is the same action on what may be the same element. The position among equal elements is ignored,
 * because the commit may have moved the element; an element without role and name may be any. A needless question costs a
 * moment, a missing one a second order.
 */
function mayRepeat({ action, parameters, target }: PlannedCommand, commit: UnknownCommit): boolean {
  if (action !== commit.action || parameters.key !== commit.key) return false;
  if (target === undefined || commit.target === undefined) return true;
  return target.role === commit.target.role && target.name === commit.target.name;
}
