import { fitted, oneLine } from '../../contracts/text';
import type { EvalRun, FailureKind } from '../eval/eval-result';
import type { ModelSummary } from '../eval/summary';
import { toDuration } from '../terminal/duration';
import { toTable } from '../terminal/table';

const MEANING: Record<FailureKind, string> = {
  refused: 'the session was not started',
  model: "the model can't be called",
  start: 'the start address did not open',
  failed: 'the model said that it could not, or its step failed',
  budget: 'the budget was used up',
  time: 'the session did not end in time',
  waiting: 'the session waited for a person',
  page: 'the model reported success, and the page says otherwise',
  answer: 'the answer is another one',
  variables: 'a saved variable is another one',
  state: 'the model reported success, and the server says otherwise',
  outcome: 'the model reported success where there is none',
};
const LONGEST_MESSAGE = 400;

/** Renders the end of one run. */
export function runLine({ case: name, model, usage, durationMs, failure, sessionId }: EvalRun): string {
  const used = `${usage.calls} calls, ${tokensText(usage)} tokens, ${toDuration(durationMs)}`;
  if (failure === undefined) return `ok      ${model}  ${name} (${used})`;
  const where = sessionId === undefined ? '' : `, session ${sessionId}`;
  return `failed  ${model}  ${name} (${used}${where}): ${failure.kind}: ${fitted(oneLine(failure.message), LONGEST_MESSAGE)}`;
}

/** Renders the models side by side. */
export function summaryLines(summaries: readonly ModelSummary[]): string[] {
  const header = ['model', 'success', '95 % interval', 'false success', 'calls', 'tokens', 'cost', 'median time'];
  return toTable(
    header,
    summaries.map((each) => [
      each.model,
      `${each.passed} of ${each.runs} (${percent(each.rate)})`,
      `${percent(each.low)} to ${percent(each.high)}`,
      String(each.falseSuccesses),
      String(each.calls),
      tokensText(each),
      costText(each),
      toDuration(each.medianMs),
    ]),
  );
}

/** Renders what did not succeed, by kind, with the reports of the sessions: `whereOf` says where they are. */
export function failureLines(runs: readonly EvalRun[], whereOf: (sessionId: string) => string): string[] {
  const kinds = (Object.keys(MEANING) as FailureKind[]).filter((kind) =>
    runs.some((run) => run.failure?.kind === kind),
  );
  return kinds.flatMap((kind) => {
    const own = runs.filter((run) => run.failure?.kind === kind);
    return [
      `${kind}: ${MEANING[kind]} (${own.length})`,
      ...own.map(
        ({ case: name, model, repeat, sessionId }) =>
          `  ${name}, ${model}, run ${repeat}${sessionId === undefined ? '' : `  ${whereOf(sessionId)}`}`,
      ),
    ];
  });
}

export function sessionLink(api: string, sessionId: string): string {
  return new URL(`/v1/sessions/${sessionId}`, api).href;
}

/** One page with all that happened in a session. */
export function reportLink(api: string, sessionId: string): string {
  return `${sessionLink(api, sessionId)}/report`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function tokensText({ inputTokens, outputTokens }: Pick<EvalRun['usage'], 'inputTokens' | 'outputTokens'>): string {
  return (inputTokens + outputTokens).toLocaleString('en-US');
}

function costText({ cost, unpricedCalls }: Pick<ModelSummary, 'cost' | 'unpricedCalls'>): string {
  const known = `$${Number(cost).toFixed(4)}`;
  return unpricedCalls === 0 ? known : `${known} and ${unpricedCalls} calls without a price`;
}
