import type { Locator } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { pollUntil } from '../poll-until';
import { readable } from '../../../../rules/page-text/contains-text';
import { matchOption } from './match-option';
import { chosenInTheEnd, placesOf, type Wanted } from './wanted';

/** A list whose options depend on another field gets them a moment after it. */
const OPTIONS_LIMIT_MS = 2000;

interface Waiting {
  timeoutMs: number;
  signal: AbortSignal;
}

/** Chooses in a `<select>`, and reads back what is chosen. */
export async function chooseInNativeList(list: Locator, wanted: Wanted, { timeoutMs, signal }: Waiting): Promise<void> {
  const options = { timeout: timeoutMs, signal };
  let read = await list.evaluate(readList, undefined, options);
  const hasAll = async (): Promise<boolean> => {
    read = await list.evaluate(readList, undefined, options);
    return wanted.labels.every((label) => matchOption(read.options, label) !== undefined);
  };
  await pollUntil(hasAll, Math.min(OPTIONS_LIMIT_MS, timeoutMs), signal);
  const places = placesOf(read.options, wanted.labels);
  if (!read.isMultiple && (places.length !== 1 || wanted.mode !== 'replace'))
    throw new EngineError('EX003', 'This list takes one option: nothing can be added to it, or left out.');
  const chosen = read.options.flatMap(({ isChosen }, place) => (isChosen ? [place] : []));
  const end = chosenInTheEnd(chosen, places, wanted.mode);
  await list.selectOption(
    end.map((index) => ({ index })),
    options,
  );
  await assertChosen(
    list,
    end.map((place) => read.options[place]!.label),
    options,
  );
}

async function assertChosen(list: Locator, labels: readonly string[], options: { timeout: number }): Promise<void> {
  // A page that went on with the choice shows it where it went.
  const now = await list
    .evaluate(readList, undefined, { timeout: Math.min(1000, options.timeout) })
    .catch(() => undefined);
  if (now === undefined) return;
  const shown = now.options.filter(({ isChosen }) => isChosen).map(({ label }) => label);
  const sorted = (texts: readonly string[]): string => JSON.stringify(texts.map((text) => readable(text)).sort());
  if (sorted(shown) === sorted(labels)) return;
  const names = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', ') || 'nothing';
  throw new EngineError('EX003', `${names(labels)} was chosen, but the list shows ${names(shown)} now.`);
}

/** Chooses one of the suggestions that a field has by its `list`: the field gets its value. */
export async function chooseSuggestion(
  field: Locator,
  { labels }: Wanted,
  { timeoutMs, signal }: Waiting,
): Promise<void> {
  const options = await field.evaluate(readSuggestions, undefined, { timeout: timeoutMs, signal });
  if (labels.length !== 1) throw new EngineError('EX003', 'This field takes one of its suggestions.');
  const [place = 0] = placesOf(options, labels);
  await field.fill(options[place]!.value, { timeout: timeoutMs, signal });
}

/** Runs in the page. */
function readSuggestions(node: Node) {
  const options = [...((node as HTMLInputElement).list?.options ?? [])];
  return options.map(({ label, text, value, disabled }) => ({
    label: label || text || value,
    value,
    isDisabled: disabled,
  }));
}

/** Runs in the page. */
export function readList(node: Node) {
  const { multiple, options } = node as HTMLSelectElement;
  return {
    isMultiple: multiple,
    options: [...options].map((option) => {
      const group = option.parentElement instanceof HTMLOptGroupElement ? option.parentElement : undefined;
      return {
        label: option.label.trim() || option.text.trim(),
        value: option.value,
        group: group?.label,
        isChosen: option.selected,
        isDisabled: option.disabled || group?.disabled === true,
      };
    }),
  };
}
