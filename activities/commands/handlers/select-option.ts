import { EngineError } from '../../failures';
import type { CommandHandler } from './command-handler';

/** By label, else by value; the label's case does not matter. */
export const selectOption: CommandHandler = async ({ element, parameters, timeoutMs, signal }) => {
  const wanted = parameters.option ?? '';
  const options = await element!.evaluate(
    (node) =>
      node instanceof HTMLSelectElement
        ? [...node.options].map(({ label, value }) => ({ label: label.trim(), value }))
        : null,
    undefined,
    { timeout: timeoutMs, signal },
  );
  if (options === null) throw new EngineError('EX003', 'This is no list to select from.');
  const same = (text: string): boolean => text.toLowerCase() === wanted.trim().toLowerCase();
  const found = options.find(({ label }) => same(label)) ?? options.find(({ value }) => same(value));
  if (found === undefined) {
    throw new EngineError(
      'EX002',
      `There is no option “${wanted}”; the options are ${options.map(({ label }) => `“${label}”`).join(', ')}.`,
    );
  }
  await element!.selectOption({ value: found.value }, { timeout: timeoutMs, signal });
};
