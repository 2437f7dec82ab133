import { SECRET_MARK } from '../../../contracts/sessions/resources';
import type { CommandHandler } from './command-handler';

/** The trimmed text of the element, or the value of an input, select or textarea; never what stands in a password field. */
export const saveVariable: CommandHandler = async ({ element, parameters, timeoutMs, signal }) => {
  const read = await element!.evaluate(
    (node) =>
      node instanceof HTMLInputElement && node.type === 'password'
        ? null
        : node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement
          ? node.value
          : ((node as HTMLElement).innerText ?? node.textContent ?? '').trim(),
    undefined,
    { timeout: timeoutMs, signal },
  );
  return { variable: { name: parameters.variableName!, value: read ?? SECRET_MARK } };
};
