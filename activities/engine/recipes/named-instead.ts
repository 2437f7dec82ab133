import { EFFECT_CLASS, type BrowserAction } from '../../../contracts/commands/commands';
import { isControlRole } from '../../../contracts/commands/role-selector';
import type { PageSnapshot } from '../../../contracts/browsers/page-snapshot';
import { targetsOf } from '../../../rules/language/intent';
import { parseInstruction } from '../../../rules/language/parse-instruction';
import { itemTextOf, markPlaces, type MarkedPlace } from './marks';

const QUOTED = /["“”„«»]([^"“”„«»]{2,})["“”„«»]/g;

/**
 * Names of other elements on the page that a step names, where it names nothing of the element of a command: a step that says
 * “Buy” is not done with “Subscribe” while there is a “Buy”, whoever chose it.
 */
export function namedInstead(
  snapshot: PageSnapshot,
  instruction: string,
  action: BrowserAction,
  { node, ancestors }: MarkedPlace,
): string[] {
  if (EFFECT_CLASS[action] === 'pure') return [];
  const named = namesIn(instruction);
  const own = [node.name, node.placeholder, node.text, itemTextOf(node, ancestors)].join(' ').toLowerCase();
  if (named.some((name) => own.includes(name.toLowerCase()))) return [];
  const wanted = new Set(named.map((name) => name.toLowerCase()));
  const others = markPlaces(snapshot).filter(
    (place) =>
      place.node !== node && isControlRole(place.node.role) && wanted.has((place.node.name ?? '').trim().toLowerCase()),
  );
  return [...new Set(others.map((place) => place.node.name!.trim()))];
}

/** The names of elements that a step says: what stands in quotes, and what the rules would look for. */
function namesIn(instruction: string): string[] {
  const parsed = parseInstruction(instruction);
  const targets = parsed.kind === 'actions' ? parsed.actions.flatMap(({ intent }) => targetsOf(intent)) : [];
  const read = targets.flatMap(({ readings }) =>
    readings.flatMap(({ name, isGuess }) => (isGuess ? [] : (name ?? []))),
  );
  return [...new Set([...[...instruction.matchAll(QUOTED)].map(([, name]) => name!.trim()), ...read])];
}
