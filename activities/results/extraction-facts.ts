import { isDeepStrictEqual } from 'node:util';
import type { ResultRequest } from '../../contracts/results/result-request';
import type { Store } from '../../store/store';
import type { ExtractionFacts } from '../../contracts/model-port/port';
import { mostRows } from './build-result';

/** What the rules need of the parts that were read so far, to know where to go on. */
export async function extractionFacts(
  { results }: Pick<Store, 'results'>,
  { sessionId, stepIndex }: { sessionId: string; stepIndex: number },
  { schema, pages = Infinity }: ResultRequest,
  { isStep, isRepair }: Pick<ExtractionFacts, 'isStep' | 'isRepair'>,
): Promise<ExtractionFacts> {
  const parts = await results.parts(sessionId, stepIndex);
  const [before, last] = [parts.at(-2), parts.at(-1)];
  return {
    isStep,
    isRepair,
    pages: parts.map(({ url, status, next, lists }) => ({
      url,
      ...(status === undefined ? {} : { status }),
      ...(next === undefined ? {} : { next }),
      rows: lists.reduce((sum, { returned }) => sum + returned, 0),
      hasLists: lists.length > 0,
    })),
    isSameAsBefore: before !== undefined && isDeepStrictEqual(before.value, last?.value),
    mostRows: mostRows(schema),
    mostPages: pages,
  };
}
