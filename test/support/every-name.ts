import declarations from '../conformance/contract-ids.json';

/** S0 and S2 both have a ToolResult (X.A1); S0's has a name of its own. */
const NAME_OF: Record<string, string> = { 'S0.2': 'BrowserToolResult' };
/** What stands for the type parameter that a declaration has no default for. */
const GENERIC: Record<string, string> = { 'S1.63': '<string>' };
/** How JavaScript sees a declaration that is a value too. */
const VALUES: Record<string, string> = { enum: 'object', const: 'object', function: 'function' };

/**
 * A program that imports every declaration of the sources from `surefoot/contracts` and uses each: types as types, and
 * enums, constants and functions as values, whose `typeof` it prints.
 */
export function everyNameProgram(): { text: string; values: Record<string, string> } {
  const all = declarations
    .filter(({ kind }) => kind === 'declaration')
    .map(({ id, name }) => {
      const [, kind = '', declared = ''] = /^(\w+) (\w+)/.exec(name) ?? [];
      return { name: NAME_OF[id] ?? declared, generic: GENERIC[id] ?? '', value: VALUES[kind] };
    });
  const values = all.filter(({ value }) => value !== undefined);
  const types = all.filter(({ value }) => value === undefined);
  const text = [
    `import { ${[...values.map(({ name }) => name), ...types.map(({ name }) => `type ${name}`)].join(', ')} } from 'surefoot/contracts';`,
    `const values = { ${values.map(({ name }) => name).join(', ')} };`,
    `export type Types = [${types.map(({ name, generic }) => `${name}${generic}`).join(', ')}];`,
    '// A name that had become any would be any other type as well.',
    'type IsAny<T> = 0 extends 1 & T ? true : false;',
    'type AnyAmong<T extends unknown[]> = T extends [infer First, ...infer Rest] ? IsAny<First> extends true ? true : AnyAmong<Rest> : false;',
    'const anyIsAmong: AnyAmong<Types> = false;',
    'const types = Object.entries(values).map(([name, value]) => [name, typeof value]);',
    'if (!anyIsAmong) console.log(JSON.stringify(Object.fromEntries(types)));',
    '',
  ].join('\n');
  return { text, values: Object.fromEntries(values.map(({ name, value }) => [name, value!])) };
}
