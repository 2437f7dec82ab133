import type { JSHandle, Locator } from 'playwright';
import { EngineError } from '../../../activity/failures';
import { pollUntil } from '../poll-until';
import type { ChoosingContext } from './choosing-context';
import { clickOption } from './click-option';
import { matchOption } from './match-option';
import { describeOptions, optionsWithin, scrollOptions, type PageOption } from './page-options';
import { placesOf, type Wanted } from './wanted';

const SHOWN_LIMIT_MS = 1000;

export interface ShownOptions {
  handles: JSHandle<Element[]>;
  options: PageOption[];
}

/** Chooses in a list that stands open: a listbox, a tree, a radio group, checkboxes, tabs, buttons that stay pressed. */
export async function chooseInGroup(group: Locator, wanted: Wanted, context: ChoosingContext): Promise<void> {
  const limit = { timeout: context.timeoutMs, signal: context.signal };
  const read = async (): Promise<ShownOptions> => {
    const handles = await group.evaluateHandle(optionsWithin, undefined, limit);
    return { handles, options: await handles.evaluate(describeOptions) };
  };
  await chooseAmong(wanted, context, read, async () => (await group.count()) === 0);
}

/**
 * Clicks the options whose state differs from the wanted one, and reads the states back. A list in which a click takes the
 * choice from all others gets the further ones with Control held, as a person does it. `isGone`: the list is not there any more.
 */
export async function chooseAmong(
  { labels, mode }: Wanted,
  context: ChoosingContext,
  read: () => Promise<ShownOptions>,
  isGone: () => Promise<boolean> = async () => false,
): Promise<void> {
  const isWanted = mode !== 'remove';
  const before = await read();
  const kept = mode === 'add' ? chosenOf(before.options) : [];
  const meant = [...labels];
  for (const modifiers of [[], ['Control' as const]]) {
    for (const label of [...meant, ...(modifiers.length > 0 ? kept : [])]) {
      const { handles, option, place } = await findOption(read, label, context);
      if (option.isChosen === isWanted) continue;
      if (option.isChosen === undefined) throw statelessError(option);
      await clickOption(handles, place, context, modifiers);
      // A list that is drawn anew is gone for a moment.
      let timesGone = 0;
      const isSo = async (): Promise<boolean> => {
        timesGone = (await isGone()) ? timesGone + 1 : 0;
        return timesGone > 1 || (timesGone === 0 && stateOf(await read(), label) === isWanted);
      };
      await pollUntil(isSo, SHOWN_LIMIT_MS, context.signal);
      // The list of one choice is taken away with it, and shows no state.
      if (timesGone > 1 && isWanted && label === meant.at(-1)) return;
    }
    if (mode === 'replace') await removeOthers(meant, context, read);
    if (isAsWanted((await read()).options, { labels: [...meant, ...kept], isWanted, isAlone: mode === 'replace' }))
      return;
  }
  const shown = chosenOf((await read()).options);
  const names = (texts: readonly string[]): string => texts.map((text) => `“${text.trim()}”`).join(', ') || 'nothing';
  throw new EngineError(
    'EX003',
    `${names(meant)} ${isWanted ? 'was chosen' : 'was taken away'}, but ${names(shown)} is chosen now.`,
  );
}

/** Takes away what is still chosen; where only one can be, that has happened by itself. */
async function removeOthers(
  labels: readonly string[],
  context: ChoosingContext,
  read: () => Promise<ShownOptions>,
): Promise<void> {
  for (const other of chosenOf((await read()).options)) {
    const { handles, options } = await read();
    const place = options.findIndex(({ label, isChosen }) => label === other && isChosen === true);
    if (place === -1 || labels.some((label) => matchOption([options[place]!], label) !== undefined)) continue;
    await clickOption(handles, place, context, []);
  }
}

function chosenOf(options: readonly PageOption[]): string[] {
  return options.filter(({ isChosen }) => isChosen === true).map(({ label }) => label);
}

function stateOf({ options }: ShownOptions, label: string): boolean | undefined {
  const place = matchOption(options, label);
  return typeof place === 'number' ? options[place]!.isChosen : undefined;
}

/** An option that a list has not drawn counts as it was when it was clicked. */
function isAsWanted(
  options: readonly PageOption[],
  { labels, isWanted, isAlone }: { labels: readonly string[]; isWanted: boolean; isAlone: boolean },
): boolean {
  const places = labels.flatMap((label) => {
    const place = matchOption(options, label);
    return typeof place === 'number' ? [place] : [];
  });
  const others = options.filter((option, place) => option.isChosen === true && !places.includes(place));
  return places.every((place) => options[place]!.isChosen === isWanted) && (!isAlone || others.length === 0);
}

function statelessError({ label }: PageOption): EngineError {
  return new EngineError(
    'EX003',
    `“${label.trim()}” does not say whether it is chosen, so nobody could see whether that worked: click it instead.`,
  );
}

/** Finds an option; a list that draws only what is in view is scrolled from its top to its end. */
export async function findOption(
  read: () => Promise<ShownOptions>,
  label: string,
  { timeoutMs, signal }: Pick<ChoosingContext, 'timeoutMs' | 'signal'>,
): Promise<ShownOptions & { option: PageOption; place: number }> {
  let shown = await read();
  const seen: PageOption[] = [];
  const end = performance.now() + timeoutMs;
  for (let scrolls = 0; performance.now() < end; scrolls += 1) {
    signal.throwIfAborted();
    if (matchOption(shown.options, label) !== undefined) {
      const [place = 0] = placesOf(shown.options, [label]);
      return { ...shown, place, option: shown.options[place]! };
    }
    seen.push(...shown.options.filter((option) => !seen.some((each) => each.label === option.label)));
    const isMoved = await shown.handles.evaluate(scrollOptions, scrolls === 0);
    if (!isMoved && scrolls > 0) break;
    shown = await read();
  }
  placesOf(seen, [label]);
  throw new EngineError('EX002', `The option “${label}” went out of view while it was searched.`);
}
