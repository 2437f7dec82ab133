import type { Page } from 'playwright';
import type { ChosenNode } from '../../../../contracts/commands/definitions/reading';
import type { ResultPart } from '../../../../contracts/results/result-part';
import type { BatchContext } from '../batch-context';
import { EngineError } from '../../../activity/failures';
import { extractBySchema } from '../../../results/extract-by-schema';
import type { PageData } from '../../../results/page-data';
import { readChosen } from '../../../results/read-chosen';
import { wantedResult } from '../../../results/wanted-result';

/** Rows that the one who called for them is shown. */
const SHOWN_ROWS = 3;

/** Reads what a page has of the result of its step, stores it, and says what was read and what is missing. */
export async function collectPart(
  {
    store,
    sessionId,
    stepIndex,
    epoch,
    values,
  }: Pick<BatchContext, 'store' | 'sessionId' | 'stepIndex' | 'epoch' | 'values'>,
  commandId: string,
  { page, frames, chosen }: { page: Page; frames: readonly PageData[]; chosen: readonly ChosenNode[] | undefined },
): Promise<string> {
  const wanted = await wantedResult(store, sessionId, stepIndex);
  if (wanted === undefined)
    throw new EngineError('SM002', 'extract needs fields here: this task is not to return a result.', {
      suggestedAction: 'Name the fields that are to be read.',
    });
  const [main] = frames;
  const { missing, ...extraction } = extractBySchema(wanted.schema, frames, {
    chosen: chosen && (await readChosen(page, wanted.schema, chosen)),
  });
  const part: ResultPart = values.redactAll({
    url: main?.url ?? '',
    ...extraction,
    ...(main?.status === undefined ? {} : { status: main.status }),
    ...(main?.next === undefined ? {} : { next: main.next }),
    ...(main?.saysNone === undefined ? {} : { saysNone: main.saysNone }),
    ...(main?.announced === undefined ? {} : { announced: main.announced }),
  });
  await store.results.savePart({ sessionId, stepIndex, commandId, epoch }, part);
  return describePart(part, missing);
}

function describePart(
  { url, status = 200, value, lists, next, announced }: ResultPart,
  missing: readonly string[],
): string {
  if (status >= 400) return `The page ${url} was answered with status ${status}: nothing of it counts. Load it again.`;
  const rows = lists.reduce((sum, { returned }) => sum + returned, 0);
  const skipped = lists.flatMap((list) => list.skipped);
  const shown = Array.isArray(value) ? value.slice(0, SHOWN_ROWS) : value;
  return [
    lists.length === 0 ? 'Read.' : `${rows} rows were read and kept.`,
    JSON.stringify(shown).slice(0, 2000) +
      (rows > SHOWN_ROWS && Array.isArray(value) ? ` … and ${rows - SHOWN_ROWS} more` : ''),
    missing.length === 0
      ? ''
      : `Not found on the page: ${missing.join(', ')}. Where the page shows it under other words, choose the elements that have it: extract with values.`,
    skipped.length === 0
      ? ''
      : `Rows that gave nothing: ${skipped.map(({ row, text }) => `${row} (“${text}”)`).join(', ')}.`,
    announced === undefined ? '' : `The page says that there are ${announced} in all.`,
    next === undefined ? '' : `The list goes on: “${next.text}”${next.href === undefined ? '' : ` (${next.href})`}.`,
  ]
    .filter((sentence) => sentence !== '')
    .join('\n');
}
