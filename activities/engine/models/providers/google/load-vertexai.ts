import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { compileFunction } from 'node:vm';
import type * as sdkModule from '@google-cloud/vertexai';

type Sdk = typeof sdkModule;
type Fetch = typeof globalThis.fetch;
interface Loaded {
  exports: object;
}

/** The `fetch` of the call under way. */
export const fetchOfCall = new AsyncLocalStorage<Fetch>();

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname', 'fetch', 'console'];

let sdk: Sdk | undefined;

/**
 * Loads @google-cloud/vertexai with a `fetch` and a `console` of its own: it takes neither as an option, calls the global
 * `fetch` without a signal, and prints into every worker's log that it is deprecated.
 */
export function loadVertexAI(): Sdk {
  sdk ??= loadWith({
    fetch: (input, init) => (fetchOfCall.getStore() ?? globalThis.fetch)(input, init),
    console: Object.assign(Object.create(console) as Console, { warn: () => {} }),
  }) as Sdk;
  return sdk;
}

/** Evaluates the CommonJS files of the package with these in place of the global ones; its dependencies have those. */
function loadWith(own: { fetch: Fetch; console: Console }): object {
  const entry = createRequire(__filename).resolve('@google-cloud/vertexai');
  const folder = entry.slice(0, entry.lastIndexOf(`vertexai${sep}`)) + `vertexai${sep}`;
  const loaded = new Map<string, Loaded>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known !== undefined) return known.exports;
    const module: Loaded = { exports: {} };
    loaded.set(file, module);
    const source = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) return (module.exports = JSON.parse(source) as object);
    const requireFrom = createRequire(file);
    const requireOwn = (id: string): unknown => {
      const path = requireFrom.resolve(id);
      return path.startsWith(folder) && !path.includes('node_modules', folder.length) ? load(path) : requireFrom(id);
    };
    const evaluate = compileFunction(source, PARAMETERS, { filename: file }) as (...values: unknown[]) => void;
    evaluate(module.exports, requireOwn, module, file, dirname(file), own.fetch, own.console);
    return module.exports;
  };
  return load(entry);
}
