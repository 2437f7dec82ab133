import type { AIResponse } from '../../../contracts/models/ai-response';
import type { DecisionRequest } from '../../../contracts/model-port/port';
import { containsText } from '../../../rules/page-text/contains-text';
import { goalWords } from '../../../rules/page-text/goal-words';
import { wholePageText } from '../../../rules/page-text/page-text';

const QUOTED = /[“"„«']([^”"»“„«']{3,200})[”"»']/g;
/** What is to be said of a page is said in words of one's own. */
const ASKS =
  /^\W*(?:please\s+)?(?:read|say|describe|summarize|list|give|find|name|report|answer|note|count|what|which|how|who|when|where|is|are|does)\b/i;

/**
 * Whether a reply has the words of the page that show what it says: in quotation marks, or as the state that it has found; where
 * the step asks about the page, any word or number of it that the step does not have.
 */
export function quotesPage({ decision, reasoning }: AIResponse, { instruction, snapshot }: DecisionRequest): boolean {
  const { message, resultValidation: { actualState = '', expectedElements = [] } = {} } = decision;
  const quoted = [message, reasoning.analysis, actualState].flatMap((text) =>
    [...text.matchAll(QUOTED)].map(([, said]) => said!),
  );
  const named = [actualState, ...expectedElements, ...quoted]
    .map((text) => text.trim())
    .filter((text) => text.length > 2);
  const ofStep = new Set(goalWords([instruction]));
  const words = ASKS.test(instruction) ? goalWords([message]).filter((word) => !ofStep.has(word)) : [];
  if (named.length + words.length === 0) return false;
  const shown = wholePageText(snapshot);
  return [...named, ...words].some((text) => containsText(shown, text));
}
