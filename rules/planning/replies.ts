import { DecisionAction, type AIResponse } from '../../contracts/models/ai-response';
import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { DecisionRequest } from '../../contracts/model-port/port';
import { notesOf, type Notes } from './progress';
import { truncate } from '../matching/item-text';

/** The parts of a reply; AIResponseSchema accepts the reply. */
interface Plan {
  analysis: string;
  rationale: string;
  expectedOutcome: string;
  commands: AIGeneratedCommand[];
  /** The action that each command belongs to. */
  plan: number[];
  notes?: Partial<Notes>;
  /** Every action is done, also one whose outcome was unknown at first. */
  isComplete?: true;
}

/** PROCEED with commands that complete the step, or with lower confidence its first part. */
export function proceed(request: DecisionRequest, plan: Plan, isWhole: boolean): AIResponse {
  return reply(request, DecisionAction.PROCEED, plan, isWhole ? 0.95 : 0.6);
}

export function retry(request: DecisionRequest, plan: Plan): AIResponse {
  return reply(request, DecisionAction.RETRY, plan, 0.5);
}

/** PROCEED without commands, which completes the step. */
export function stepComplete(
  request: DecisionRequest,
  settled: readonly number[],
  skipped: readonly number[] = [],
): AIResponse {
  return proceed(
    request,
    {
      analysis: `All that was asked is done; the page is ${describePage(request)}.`,
      rationale: 'Nothing is left to do.',
      expectedOutcome: 'The step is complete.',
      commands: [],
      plan: [],
      notes: {
        ...(settled.length > 0 && { settled: [...settled] }),
        ...(skipped.length > 0 && { skipped: [...skipped] }),
      },
      isComplete: true,
    },
    true,
  );
}

export function abort(request: DecisionRequest, message: string, confidence = 0.9): AIResponse {
  const rationale = 'Going on would be a guess.';
  const expectedOutcome = 'The step fails and says why.';
  return reply(
    request,
    DecisionAction.ABORT,
    { analysis: message, rationale, expectedOutcome, commands: [], plan: [] },
    confidence,
  );
}

function reply(request: DecisionRequest, action: DecisionAction, plan: Plan, confidence: number): AIResponse {
  const message = action === DecisionAction.ABORT ? plan.analysis : `${plan.analysis} ${plan.rationale}`;
  const resultValidation = validation(request, plan.isComplete === true);
  return {
    decision: { action, message, ...(resultValidation && { resultValidation }) },
    reasoning: {
      analysis: plan.analysis,
      rationale: plan.rationale,
      expectedOutcome: plan.expectedOutcome,
      confidence,
    },
    commands: plan.commands,
    context: { plan: plan.plan, ...plan.notes },
  };
}

/** The outcome of the previous commands; undefined where there were none. */
function validation(request: DecisionRequest, isComplete: boolean): AIResponse['decision']['resultValidation'] {
  const last = request.pastIterations.at(-1);
  if (!last || last.outcomes.length === 0) return undefined;
  const failures = last.outcomes.filter(({ status }) => status !== 'done' && status !== 'skipped');
  const isWait = notesOf(last).waiting !== undefined;
  const issues = failures.map(({ action, status, error }) => error?.message ?? `${action} is ${status}.`);
  return {
    success: isComplete || failures.length === 0,
    expectedElements: last.commands.flatMap(({ action, parameters }) =>
      action === 'EXPECT' || isWait ? (parameters.text ?? []) : [],
    ),
    actualState: `The page is ${describePage(request)}.`,
    ...(issues.length > 0 && { issues }),
  };
}

/** Describes the page for the end of a sentence: “Cart” (https://…). */
export function describePage({ snapshot }: Pick<DecisionRequest, 'snapshot'>): string {
  return snapshot.title ? `“${truncate(snapshot.title)}” (${snapshot.url})` : snapshot.url || 'not open yet';
}
