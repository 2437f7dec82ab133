import type { Command } from './command';

/** The trimmed text of the element, or the value of an input, select or textarea. */
export const saveVariable: Command = async ({ element, parameters, timeoutMs, signal }) => {
  const value = await element!.evaluate(
    (node) =>
      node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement
        ? node.value
        : ((node as HTMLElement).innerText ?? node.textContent ?? '').trim(),
    undefined,
    { timeout: timeoutMs, signal },
  );
  return { variable: { name: parameters.variableName!, value } };
};
