import type { Action, Intent } from '../language/intent';

/** Finds the first `${name}` that is neither given nor saved by an earlier action. */
export function missingVariable(
  actions: readonly Action[],
  given: readonly string[],
): { name: string; known: string[] } | undefined {
  const known = [...given];
  for (const { intent } of actions) {
    for (const name of mentioned(intent)) if (!known.includes(name)) return { name, known };
    if (intent.kind === 'save') known.push(intent.variableName);
  }
  return undefined;
}

function mentioned(intent: Intent): string[] {
  const names = [...JSON.stringify(intent).matchAll(/\$\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  return [...new Set(names)];
}
