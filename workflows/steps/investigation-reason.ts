import { ERROR_CODES } from '../../contracts/errors/error-codes';
import { GUESS_CONFIDENCE, MAX_INVESTIGATIONS, type InvestigationMode } from '../../contracts/steps/investigation';
import type { PlannedCommand } from '../../contracts/commands/planned-command';
import type { JudgedReply } from '../../contracts/steps/after-reply';

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
