import { ownMember } from '../../contracts/json';

type Key = string | number;

/** Sets a member of the value, with the objects that it stands in; whatever its name, it changes no prototype. */
export function setAt(holder: { value: unknown }, path: readonly Key[], value: unknown): void {
  let at: object = holder;
  let key: Key = 'value';
  for (const next of path) {
    if ((ownMember(at, key) ?? null) === null) define(at, key, {});
    at = ownMember(at, key) as object;
    key = next;
  }
  define(at, key, value);
}

function define(of: object, key: Key, value: unknown): void {
  Object.defineProperty(of, key, { value, enumerable: true, configurable: true, writable: true });
}
