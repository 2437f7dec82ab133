import type { DecisionRequest } from '../../../contracts/model-port/port';
import { decideByRules } from '../../../rules/planning/decide';
import { iterationsOfThisTry } from '../../../rules/planning/progress';
import { containsText } from '../../../rules/page-text/contains-text';
import { wholePageText } from '../../../rules/page-text/page-text';
import { onlyLooks } from './still-to-be-done';

/**
 * Names the words that a step expects and the page does not have, where the step only looks and nothing has looked for them.
 * Undefined where a picture may show them.
 */
export function notShown(request: DecisionRequest): string | undefined {
  const { instruction, snapshot, picture } = request;
  const hasLooked = iterationsOfThisTry(request).some(({ outcomes }) =>
    outcomes.some(({ action, status }) => action === 'EXPECT' && status === 'done'),
  );
  if (picture !== undefined || snapshot.hasCanvas === true || hasLooked || !onlyLooks(instruction)) return undefined;
  const { commands } = decideByRules({ ...request, pastIterations: [] });
  const shown = wholePageText(snapshot);
  // A text may stand in several elements, its words do not.
  const isMissing = (text: string): boolean => text.split(/\s+/).some((word) => !containsText(shown, word));
  const missing = commands.flatMap(({ action, parameters: { text, absent } }) =>
    action === 'EXPECT' && text !== undefined && absent !== true && !text.includes('${') && isMissing(text)
      ? [text]
      : [],
  );
  return missing.length === 0 ? undefined : `The page does not show “${missing.join('”, “')}”.`;
}
