import type { PageNode, PageSnapshot } from '../../contracts/browsers/page-snapshot';
import { walkNodes } from '../../contracts/browsers/page-snapshot';
import type { GeneratedCall } from '../../contracts/model-port/language-model';
import type { ExtractionFacts, PastTurn, TurnRequest, TurnResult } from '../../contracts/model-port/port';

type Reply = Omit<TurnResult, 'usage' | 'model'>;

/** What a turn of an extraction does; kept with the reply. */
interface ExtractionPlan {
  extraction: 'open' | 'read' | 'wait' | 'next' | 'repair';
}

/** Readings of a page that has no rows yet, or the rows of the page before: its content may still be loading. */
const MOST_READINGS = 4;
const WAIT_S = 1;

export function isExtractionTurn({ raw }: Pick<PastTurn, 'raw'>): boolean {
  return planOf(raw) !== undefined;
}

/** The words of a task before those that say what to extract. */
export function beforeExtraction(task: string): string {
  return task.replace(/(?:^|[.;,\n]\s*|\s+(?:then|and)\s+)(?:and\s+)?(?:then\s+)?extract\b[\s\S]*$/i, '').trim();
}

/**
 * Takes one turn of an extraction: opens the page, reads it, goes to the next one, until the list ends or a page fails.
 * What is missing is found when the result is put together; then the last page is loaded once more.
 */
export function extractionTurn(
  { url, snapshot, pastTurns }: Pick<TurnRequest, 'url' | 'snapshot' | 'pastTurns'>,
  { pages, isSameAsBefore, mostPages, mostRows, isRepair }: ExtractionFacts,
): Reply {
  const turns = pastTurns.flatMap((turn) => {
    const plan = planOf(turn.raw);
    return plan === undefined ? [] : [{ kind: plan.extraction, failure: failureOf(turn) }];
  });
  const last = turns.at(-1);
  if (last === undefined) return url === undefined ? read() : open('open', url);
  const page = pages.at(-1);
  if (isRepair && !turns.some(({ kind }) => kind === 'repair')) {
    const again = page?.next?.href ?? page?.url;
    if (again !== undefined) return open('repair', again);
  }
  if (last.failure !== undefined) {
    const isFirst = turns.at(-2)?.failure === undefined;
    const address = page?.next?.href;
    if (last.kind === 'next' && isFirst && address !== undefined) return open('next', address);
    return end(`I could not go on: ${last.failure}`, page === undefined);
  }
  if (last.kind !== 'read') return read();
  if (page === undefined) return end('I could not read the page.', true);
  const { status = 200, rows, next } = page;
  if (status >= 400) return end(`The page ${page.url} was answered with status ${status}.`);
  const readings = turns.slice(turns.findLastIndex(({ kind }) => kind !== 'read' && kind !== 'wait') + 1);
  const isLoading = page.hasLists && (rows === 0 || (isSameAsBefore && turns.some(({ kind }) => kind === 'next')));
  if (isLoading && readings.filter(({ kind }) => kind === 'read').length < MOST_READINGS)
    return call('wait', { name: 'wait', args: { seconds: WAIT_S } });
  const total = pages.reduce((sum, each) => sum + each.rows, 0);
  const seen = new Set(pages.map((each) => each.url));
  const count = 1 + turns.filter(({ kind, failure }) => kind === 'next' && failure === undefined).length;
  if (!page.hasLists || next === undefined || total >= mostRows || count >= mostPages || isLoading)
    return end(`${total} rows were read from ${seen.size} ${seen.size === 1 ? 'page' : 'pages'}.`);
  if (next.href !== undefined) {
    if (seen.has(next.href)) return end('The list leads back to a page that was read.');
    return open('next', next.href);
  }
  const control = findControl(snapshot, next.text);
  if (control === undefined) return end(`“${next.text}” is not on the page any more.`);
  return call('next', { name: 'computer', args: { action: 'left_click', ref: control } });
}

function planOf(raw: PastTurn['raw']): ExtractionPlan | undefined {
  const [part] = raw?.parts ?? [];
  return typeof part === 'object' && part !== null && 'extraction' in part ? (part as ExtractionPlan) : undefined;
}

function failureOf({ outcomes }: PastTurn): string | undefined {
  const failed = outcomes.find(({ status }) => status !== 'done');
  return failed === undefined ? undefined : (failed.error?.message ?? 'the call was not run.');
}

function findControl({ nodes }: PageSnapshot, text: string): string | undefined {
  const fits = ({ role, name, disabled, ref }: PageNode): boolean =>
    ref !== undefined && disabled !== true && (role === 'link' || role === 'button') && name?.trim() === text;
  return [...walkNodes(nodes)].find(({ node }) => fits(node))?.node.ref;
}

function read(): Reply {
  return call('read', { name: 'extract', args: {} });
}

function open(extraction: ExtractionPlan['extraction'], url: string): Reply {
  return call(extraction, { name: 'navigate', args: { url } });
}

function call(
  extraction: ExtractionPlan['extraction'],
  { name, args }: { name: string; args: Record<string, unknown> },
): Reply {
  const text = {
    open: 'I open the page.',
    read: 'I read the rows of the page.',
    wait: 'I wait for the rows to load.',
    next: 'I go to the next page.',
    repair: 'Something is missing: I load the last page again.',
  }[extraction];
  return reply(text, [{ name, args: JSON.stringify(args) }], [{ extraction }]);
}

function end(text: string, isGivenUp = false): Reply {
  const ended = reply(text, [], []);
  return isGivenUp ? { ...ended, isGivenUp: true } : ended;
}

function reply(text: string, functionCalls: GeneratedCall[], parts: ExtractionPlan[]): Reply {
  const stopReason = functionCalls.length > 0 ? 'tool_calls' : 'end_turn';
  return { text, thoughts: '', functionCalls, stopReason, raw: { form: 'rules', provider: 'rules', parts } };
}
