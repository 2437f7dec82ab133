import type { ParametersOf } from '../../../../contracts/commands/commands';
import { EngineError } from '../../../activity/failures';
import { matchOption } from './match-option';

/** What is to be chosen, and what becomes of the rest. */
export interface Wanted {
  labels: readonly string[];
  mode: 'replace' | 'add' | 'remove';
}

export function toWanted({ option, options, mode = 'replace' }: ParametersOf<'SELECT_OPTION'>): Wanted {
  return { labels: options ?? [option!], mode };
}

const MOST_SHOWN = 30;

/** Resolves to the places of the wanted options. Throws where one is missing, disabled, or not the only one of its name. */
export function placesOf(
  options: readonly { label: string; value?: string | undefined; group?: string | undefined; isDisabled: boolean }[],
  labels: readonly string[],
): number[] {
  return labels.map((label) => {
    const place = matchOption(options, label);
    if (place === undefined) throw noSuchOptionError(label, options);
    if (place === 'several')
      throw new EngineError('EX002', `There are several options “${label}”: say which one, by its group or its value.`);
    if (options[place]!.isDisabled) throw new EngineError('EX003', `The option “${label}” is disabled.`);
    return place;
  });
}

export function noSuchOptionError(label: string, options: readonly { label: string }[]): EngineError {
  const shown = options.slice(0, MOST_SHOWN).map((option) => `“${option.label.replaceAll(/\s+/g, ' ').trim()}”`);
  const more = options.length > MOST_SHOWN ? ` and ${options.length - MOST_SHOWN} more` : '';
  const list = shown.length === 0 ? 'it shows no options' : `the options are ${shown.join(', ')}${more}`;
  return new EngineError('EX002', `There is no option “${label}”; ${list}.`, { details: { listsChoices: true } });
}

/** The options that are to be chosen in the end, by their places. */
export function chosenInTheEnd(chosen: readonly number[], wanted: readonly number[], mode: Wanted['mode']): number[] {
  if (mode === 'replace') return [...new Set(wanted)];
  if (mode === 'add') return [...new Set([...chosen, ...wanted])];
  return chosen.filter((place) => !wanted.includes(place));
}
