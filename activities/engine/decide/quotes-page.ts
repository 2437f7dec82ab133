import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import type { AIResponse } from '../../../contracts/models/ai-response';
import { containsText } from '../../../rules/page-text/contains-text';
import { pageText } from '../../../rules/page-text/page-text';

const QUOTED = /[“"„«']([^”"»“„«']{3,200})[”"»']/g;
/** The whole of a page, as long as it may be. */
const WHOLE = 1_000_000;

/** Whether a reply has the words of the page that show what it says: in quotation marks, or as the state that it has found. */
export function quotesPage({ decision, reasoning }: AIResponse, snapshot: PageSnapshot): boolean {
  const { message, resultValidation: { actualState = '', expectedElements = [] } = {} } = decision;
  const quoted = [message, reasoning.analysis, actualState].flatMap((text) =>
    [...text.matchAll(QUOTED)].map(([, said]) => said!),
  );
  const named = [actualState, ...expectedElements, ...quoted]
    .map((text) => text.trim())
    .filter((text) => text.length > 2);
  if (named.length === 0) return false;
  const shown = pageText(snapshot, WHOLE);
  return named.some((text) => containsText(shown, text));
}
