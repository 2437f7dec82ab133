import { z } from 'zod';
import { walkNodes } from '../../../contracts/browsers/page-snapshot';
import { COMMANDS } from '../../../contracts/commands/commands';
import { DecisionAction, type AIResponse } from '../../../contracts/models/ai-response';
import type { LanguageModel, ModelUsage } from '../../../contracts/model-port/language-model';
import type { CallOptions, DecisionRequest } from '../../../contracts/model-port/port';
import { oneLine } from '../../../contracts/text';
import { plainText } from '../../../rules/page-text/changes';
import { containsText } from '../../../rules/page-text/contains-text';
import { wholePageText } from '../../../rules/page-text/page-text';
import { askAboutPage } from './calls/ask-about-page';
import { inputOf, NO_USAGE } from './calls/language-call';
import { hasUnknown } from './prompts/decision';
import { judgementPrompt } from './prompts/judgement';
import { forgivingParse } from './replies/forgiving-parse';
import { jsonValuesIn } from './replies/json-in-text';
import { answerAs, VERDICT, type ReplyForm } from './replies/reply-schema';

const VerdictSchema = z.object({
  problem: z.string().default(''),
  evidence: z.string().default(''),
  done: z.boolean(),
});

/** What a judgement has come to. */
export interface Judged {
  /** The reply that completes the step, where it is done. */
  reply?: AIResponse;
  /** What speaks against it, for the decision that follows. */
  problem?: string;
  usage: ModelUsage;
  sizes: Record<string, number>;
}

/** Whether there is something to judge: the last commands have done all that they were to do, and some have changed something. */
export function isToBeJudged({ pastIterations }: DecisionRequest): boolean {
  const last = pastIterations.at(-1)?.outcomes ?? [];
  const hasActed = pastIterations.some(({ outcomes }) =>
    outcomes.some(({ action, status }) => status === 'done' && !COMMANDS[action].onlyLooks),
  );
  return hasActed && last.length > 0 && last.every(({ status }) => status === 'done') && !hasUnknown(pastIterations);
}

/**
 * Has a small model judge by itself, in a short call, what its last commands have led to. The step is done where the evidence
 * stands on the page word for word. A request that is too long is sent once more with less of the page.
 */
export async function judgeWith(
  language: LanguageModel,
  form: ReplyForm,
  request: DecisionRequest,
  options: CallOptions,
): Promise<Judged> {
  const { prompt, generation } = await askAboutPage(language, request, options, (characters) => ({
    ...judgementPrompt(request, options.nonce, characters),
    answer: answerAs(form, VERDICT),
  }));
  await options.listener.discarded();
  const [called] = generation.functionCalls;
  const values = called === undefined ? jsonValuesIn(generation.text).map(({ value }) => value) : [inputOf(called)];
  const verdict = values.map((value) => forgivingParse(VerdictSchema, value)).find(({ success }) => success)?.data;
  const by = { usage: generation.usage ?? NO_USAGE, sizes: prompt.sizes };
  if (verdict === undefined) return by;
  const { done, problem } = verdict;
  const evidence = verdict.evidence.trim();
  if (!done || problem.trim() !== '') return { ...by, ...(problem.trim() === '' ? {} : { problem: problem.trim() }) };
  // It may say in words of its own what is new on the page.
  const shown = isOnPage(evidence, request) ? evidence : messageSince(request);
  return shown === undefined ? { ...by, problem: NO_EVIDENCE } : { ...by, reply: doneBy(shown) };
}

/** What the page says since the last commands, where a person would look for it. */
function messageSince({ snapshot }: DecisionRequest): string | undefined {
  const messages = [...walkNodes(snapshot.nodes)].filter(
    ({ node: { role, since } }) => since !== undefined && (role === 'status' || role === 'log'),
  );
  return messages.map(({ node }) => oneLine(plainText(node), 200)).find((text) => text.length >= LEAST_EVIDENCE);
}

/** It was taken as done, and nothing of the page was given for that. */
export const NO_EVIDENCE = 'no words of the page were quoted that show the step as done';
/** Fewer characters stand on any page. */
const LEAST_EVIDENCE = 3;
function isOnPage(evidence: string, { snapshot }: DecisionRequest): boolean {
  return evidence.length >= LEAST_EVIDENCE && containsText(wholePageText(snapshot), evidence);
}

function doneBy(evidence: string): AIResponse {
  const message = `The page shows “${evidence}”.`;
  return {
    decision: {
      action: DecisionAction.PROCEED,
      message,
      resultValidation: { success: true, expectedElements: [], actualState: evidence, issues: [] },
    },
    reasoning: { analysis: message, rationale: '', expectedOutcome: '', confidence: 0.9 },
    commands: [],
  };
}
