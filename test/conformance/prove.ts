import type { z } from 'zod';

/** True only when both types are the same to the compiler: names, optionality, literals, and `any` as opposed to `unknown`. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/**
 * The proof of a declaration at compile time: `tsc` takes the argument only where `Same` says true, so a type that
 * drifts from the contract's literal makes `npm run check` fail, and test/conformance/types.test.ts with it.
 */
export function proveSame<A, B>(isSame: Same<A, B>): boolean {
  return isSame;
}

type Sample = Record<string, unknown>;

/**
 * The proof of an object's schema at run time. `whole` has every member; `optional` names those that may be missing
 * (dotted, `[]` for the items of a list). It must be accepted whole and without each optional member, and refused
 * without each required one and with a value of another kind in any place. Resolves to what is wrong: an empty list is
 * the proof.
 */
export function faultsOf(schema: z.ZodType, whole: Sample, optional: readonly string[] = []): string[] {
  const faults: string[] = [];
  const accepts = (value: unknown): boolean => schema.safeParse(value).success;
  if (!accepts(whole)) faults.push(`refused whole: ${schema.safeParse(whole).error?.message}`);
  const paths = pathsOf(whole);
  for (const path of paths) {
    const name = nameOf(path);
    const isAcceptedWithout = accepts(changed(whole, path, undefined));
    if (typeof path.at(-1) === 'string' && optional.includes(name) !== isAcceptedWithout)
      faults.push(`without ${name}: ${isAcceptedWithout ? 'accepted' : 'refused'}`);
    if (accepts(changed(whole, path, otherKind(at(whole, path))))) faults.push(`accepts another kind of ${name}`);
  }
  const names = new Set(paths.map(nameOf));
  return [...faults, ...optional.filter((name) => !names.has(name)).map((name) => `the sample has no ${name}`)];
}

function nameOf(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? '[]' : key))
    .join('.')
    .replaceAll('.[]', '[]');
}

type Path = (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value)) return [...own, ...value.slice(0, 1).flatMap((item) => pathsOf(item, [...path, 0]))];
  if (typeof value !== 'object' || value === null) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, member]) =>
      isRecord(key) ? [[...path, key]] : pathsOf(member, [...path, key]),
    ),
  ];
}

/** What is typed Record<string, any> has no members of its own. */
function isRecord(key: string): boolean {
  return ['metadata', 'details', 'context', 'properties'].includes(key);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);
}

function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Sample) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0 && to === undefined) delete copy[key];
  else copy[key] = changed(copy[key], rest, to);
  return copy;
}

/** Something that no member of the same kind may be. Times are texts on the wire: another text is none. */
function otherKind(value: unknown): unknown {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? 'no time' : 7;
  return typeof value === 'object' ? 7 : 'x';
}
