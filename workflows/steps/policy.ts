import { DecisionAction, REFLECTION_CONFIDENCE } from '../../contracts/models/ai-response';
import type { UnknownCommit, Validation } from '../../activities/signatures/engine-activities';
import { ERROR_CODES, type ErrorCode } from '../../contracts/errors/error-codes';
import { GUESS_CONFIDENCE, MAX_INVESTIGATIONS, type InvestigationMode } from '../../contracts/steps/investigation';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { UnknownJudgement, UnknownOutcome } from '../../contracts/approvals/unknown-outcome';

/** What the workflow needs to know of a model's reply. */
export interface JudgedReply {
  decision: DecisionAction;
  message: string;
  confidence: number;
  commandCount: number;
  /** How the reply judges the commands before it; absent where none ran. */
  validation?: Validation | undefined;
}

export type AfterReply =
  | { kind: 'completed' }
  | { kind: 'failed'; code: ErrorCode; message: string; isOutOfIterations?: true }
  | { kind: 'act' }
  /** The model can't say that the step is done, and has no commands for it: it is asked again about a new snapshot. */
  | { kind: 'observe' };

/**
 * What follows from a reply before anything is done (S1.A31): ABORT fails the step, PROCEED without commands completes
 * it, everything else acts. With reflection, a doubtful PROCEED completes nothing. The last call of a step that has used
 * up its iterations may only judge.
 */
export function afterReply(verdict: JudgedReply, mayAct: boolean, isReflecting = true): AfterReply {
  const { decision, commandCount, message, validation, confidence } = verdict;
  if (decision === DecisionAction.ABORT) return { kind: 'failed', code: 'TL004', message };
  const isDoubtful = isReflecting && (validation === 'failed' || confidence < REFLECTION_CONFIDENCE);
  if (decision === DecisionAction.PROCEED && commandCount === 0) {
    if (!isDoubtful) return { kind: 'completed' };
    if (mayAct) return { kind: 'observe' };
  } else if (mayAct) return { kind: 'act' };
  const isUnsure = decision === DecisionAction.PROCEED && commandCount === 0 && validation !== 'failed';
  if (validation === 'missing' || isUnsure)
    return {
      kind: 'failed',
      code: 'TL005',
      message: `The step used up its iterations, and the model could not judge what came of its commands. ${message}`,
      isOutOfIterations: true,
    };
  return {
    kind: 'failed',
    code: 'TL004',
    message: `The step used up its iterations. ${message}`,
    isOutOfIterations: true,
  };
}

/** Whether the commands of a reply were meant to complete the step, and have all succeeded. */
export function isToBeJudged(verdict: JudgedReply, hasEverySucceeded: boolean): boolean {
  return verdict.decision === DecisionAction.PROCEED && hasEverySucceeded;
}

/** What may call for an investigation of the page before the next call. */
interface Occasion {
  mode: InvestigationMode;
  /** Of this step, so far. */
  investigations: number;
  /** The reply that was run, and how that went; undefined before the first call of a step. */
  last:
    | {
        reply: JudgedReply & { investigate?: string | undefined; hasRepeats?: boolean | undefined };
        failed: Failed[];
        /** The next call only has to judge whether the step is done. */
        isToBeJudged?: boolean;
      }
    | undefined;
  /** How often an element of this step was not there, or could not be used, by the key of its target. */
  failures: ReadonlyMap<string, number>;
}

export interface Failed {
  action: PlannedCommand['action'];
  code: string | undefined;
  /** Equal for commands at one element. */
  target: string;
  /** The error names all that there was to choose from. */
  listsChoices?: boolean | undefined;
}

/** An element was not there, or could not be used: what the page is like may be the reason. */
const OF_THE_PAGE = new Set<string | undefined>([
  ERROR_CODES.EXECUTOR.SELECTOR_NOT_FOUND,
  ERROR_CODES.EXECUTOR.ELEMENT_NOT_INTERACTABLE,
]);

/** What an investigation could explain: the element was not there or not usable, and the error names no choices. */
export function isOfThePage({ action, code, listsChoices }: Failed): boolean {
  return action !== 'EXPECT' && listsChoices !== true && OF_THE_PAGE.has(code);
}

export function mayInvestigate(mode: InvestigationMode, investigations: number): boolean {
  return mode !== 'never' && investigations < MAX_INVESTIGATIONS;
}

/** Why the page is to be investigated before the model is asked again; undefined when it is not. */
export function investigationReason({ mode, investigations, last, failures }: Occasion): string | undefined {
  if (!mayInvestigate(mode, investigations)) return undefined;
  if (last !== undefined) {
    const { reply, failed } = last;
    if (reply.investigate !== undefined) return 'the model asked for it';
    const stuck = failed.find((failure) => isOfThePage(failure) && (failures.get(failure.target) ?? 0) > 1);
    if (stuck !== undefined) return `${stuck.action} failed twice, with ${stuck.code}`;
    if (reply.hasRepeats === true) return 'the model would only have repeated itself';
    const isExplained = failed.some(({ listsChoices }) => listsChoices === true);
    if (reply.confidence < GUESS_CONFIDENCE && !isExplained) return `the model was not sure (${reply.confidence})`;
  }
  return mode === 'always' && last?.isToBeJudged !== true ? 'every step is to be investigated for' : undefined;
}

/** How often the steps of earlier versions were investigated. */
const MAX_BEFORE = 3;

/** As earlier versions decided, which investigated after each failure: their histories are replayed with it. */
export function earlierReason({ mode, investigations, last }: Occasion): string | undefined {
  if (mode === 'never' || investigations >= MAX_BEFORE) return undefined;
  if (last !== undefined) {
    const { reply, failed } = last;
    const hasFailed = failed.some(({ action, code }) => action !== 'EXPECT' && OF_THE_PAGE.has(code));
    const isLost = reply.investigate !== undefined || reply.hasRepeats === true;
    if (hasFailed || isLost || reply.confidence < GUESS_CONFIDENCE) return 'it was due';
  }
  return mode === 'always' && last?.isToBeJudged !== true ? 'every decision is to be investigated for' : undefined;
}

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
