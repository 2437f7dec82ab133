import type { Description } from '../language/description';
import type { Action } from '../language/intent';

const NAME = /\$\{([^{}]*)\}/g;

/** Finds the first `${name}` that is neither given nor saved by an earlier action. */
export function missingVariable(
  actions: readonly Action[],
  given: readonly string[],
): { name: string; known: string[] } | undefined {
  const known = [...given];
  for (const { said, intent, condition, until } of actions) {
    for (const name of mentioned([said, intent, condition, until])) if (!known.includes(name)) return { name, known };
    if (intent.kind === 'save') known.push(intent.variableName);
  }
  return undefined;
}

function mentioned(part: unknown): string[] {
  return [...new Set([...JSON.stringify(part).matchAll(NAME)].map((match) => match[1] ?? ''))];
}

/** What is typed or opened gets its value in the browser worker, which alone knows secrets. */
const GIVEN = new Set([
  'type',
  'set',
  'set-each',
  'search',
  'dialog',
  'open',
  'open-tab',
  'upload',
  'drop-files',
  'http-credentials',
]);

/** The actions with the values of variables in names, rows, expectations and conditions. Secrets stay as they are. */
export function withValues(actions: readonly Action[], values: Readonly<Record<string, string>>): Action[] {
  const fill = (text: string): string =>
    text.replace(NAME, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
  const filled = new Map<Action, Action>();
  const ofAction = (action: Action): Action => {
    const known = filled.get(action);
    if (known) return known;
    const { intent, condition, until, conditionOf, place, core } = action;
    const made: Action = {
      ...action,
      intent: inNames(intent, fill, GIVEN.has(intent.kind)),
      ...(core !== undefined && { core: quoted(core, values) }),
      ...(place !== undefined && { place: quoted(place, values) }),
      ...(condition && { condition: inNames(condition, fill, false) }),
      ...(until && { until: inNames(until, fill, false) }),
    };
    filled.set(action, made);
    if (conditionOf) made.conditionOf = ofAction(conditionOf);
    return made;
  };
  return actions.map(ofAction);
}

/** A value is quoted by being that of a variable. */
function quoted(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/(["“])?\$\{([^{}]*)\}/g, (whole, quote: string | undefined, name: string) =>
    Object.hasOwn(values, name) ? (quote === undefined ? `"${values[name]}"` : quote + values[name]) : whole,
  );
}

/** Fills the texts of a part; only those of descriptions, where the others are for the browser worker. */
function inNames<Part>(part: Part, fill: (text: string) => string, isGiven: boolean): Part {
  if (typeof part === 'string') return (isGiven ? part : fill(part)) as Part;
  if (Array.isArray(part)) return part.map((each: unknown) => inNames(each, fill, isGiven)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const isName = isGiven && !('readings' in part);
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inNames(each, fill, isName)])) as Part;
}

/** The variable in a name whose value is not known here: a secret, or one of a task. */
export function namedBySecret({ intent, condition, until }: Action): string | undefined {
  const names: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('readings' in part) names.push(...mentioned((part as Description).readings));
    else Object.values(part).forEach(collect);
  };
  [intent, condition, until].forEach(collect);
  return names[0];
}
