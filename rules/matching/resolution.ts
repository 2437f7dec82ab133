import type { AIGeneratedCommand } from '../../contracts/commands/commands';
import type { Description } from '../language/description';
import type { Item } from './page-index';
import type { Purpose } from './purpose';

/** The result of the search for the targets of one action. */
export type TargetSearch =
  /** `opens`: a menu of the entry that these words name is opened, and what is to be done is then looked for in it. */
  | { kind: 'commands'; commands: AIGeneratedCommand[]; target?: Item; opens?: string[] }
  /** Not on the page; worth one wait. `detail` replaces the sentence that it was not found. */
  | { kind: 'absent'; target: Description; purpose: Purpose; detail?: string }
  | { kind: 'several'; target: Description; items: Item[] }
  | { kind: 'refused'; message: string };

export function commandsOn(target: Item, ...commands: AIGeneratedCommand[]): TargetSearch {
  return { kind: 'commands', commands, target };
}

export function commandsOnly(...commands: AIGeneratedCommand[]): TargetSearch {
  return { kind: 'commands', commands };
}

/** Nothing has to be done. */
export function alreadySo(): TargetSearch {
  return { kind: 'commands', commands: [] };
}

export function absent(target: Description, purpose: Purpose, detail?: string): TargetSearch {
  return { kind: 'absent', target, purpose, ...(detail !== undefined && { detail }) };
}

export function several(target: Description, items: Item[]): TargetSearch {
  return { kind: 'several', target, items };
}

/** Several that the same words fit. */
export function severalFor(said: string, items: Item[]): TargetSearch {
  return several({ said, isQuoted: false, readings: [] }, items);
}

export function refused(message: string): TargetSearch {
  return { kind: 'refused', message };
}
