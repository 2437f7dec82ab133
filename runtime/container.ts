import type { DIContainer, ModuleRegistration } from '../contracts/modules/dependencies';
import { ErrorCategory } from '../contracts/errors/error-definition';

/** A SYSTEM error: modules are registered wrongly; the message names the path of dependencies. */
export class ContainerError extends Error {
  readonly category = ErrorCategory.SYSTEM;
}

/** S1.50 with modules that name what they need, some of them opened asynchronously. */
export interface Container extends DIContainer {
  registerModule(registration: ModuleRegistration): void;
  /**
   * Checks that every named dependency is there and that none needs itself, before anything is opened; then opens the
   * asynchronous modules, each after what it needs and otherwise side by side.
   */
  initialize(): Promise<void>;
  createScope(): Container;
}

interface Entry {
  dependencies: readonly string[];
  isSingleton: boolean;
  isAsync: boolean;
  make: () => unknown;
  kept?: { value: unknown };
  opening?: Promise<void>;
}

export function createContainer(parent?: Lookup): Container {
  const entries = new Map<string, Entry[]>();
  /** The tokens that are being made, outermost first; a container and all its scopes share the list. */
  const path: string[] = parent?.path ?? [];
  const lookup: Lookup = { path, find: (token) => entries.get(token) ?? parent?.find(token) ?? [] };

  function add(token: string, entry: Entry): void {
    entries.set(token, [...(entries.get(token) ?? []), entry]);
  }

  function valueOf(token: string, entry: Entry): unknown {
    if (entry.kept !== undefined) return entry.kept.value;
    if (entry.isAsync)
      throw new ContainerError(`${formatPath([...path, token])} is not open yet: await initialize() first.`);
    if (path.includes(token)) throw new ContainerError(`${formatPath([...path, token])} needs itself.`);
    path.push(token);
    try {
      const value = entry.make();
      if (entry.isSingleton) entry.kept = { value };
      return value;
    } finally {
      path.pop();
    }
  }

  function check(token: string, way: readonly string[]): void {
    const here = [...way, token];
    if (way.includes(token)) throw new ContainerError(`${formatPath(here)} needs itself.`);
    const entry = lookup.find(token).at(-1);
    if (entry === undefined) throw new ContainerError(`${formatPath(here)}: nothing is registered as ${token}.`);
    for (const dependency of entry.dependencies) check(dependency, here);
  }

  function open(token: string): Promise<void> {
    const entry = lookup.find(token).at(-1)!;
    entry.opening ??= (async () => {
      await Promise.all(entry.dependencies.map(open));
      if (entry.isAsync && entry.kept === undefined) entry.kept = { value: await entry.make() };
    })();
    return entry.opening;
  }

  const container: Container = {
    register<T>(token: string, given: T | (() => T)): void {
      const isFactory = typeof given === 'function';
      add(token, {
        dependencies: [],
        isSingleton: true,
        isAsync: false,
        make: isFactory ? (given as () => T) : () => given,
      });
    },
    registerModule({ moduleId, dependencies, factory, singleton, initializeAsync = false }) {
      add(moduleId, {
        dependencies,
        isSingleton: singleton,
        isAsync: initializeAsync,
        make: () => factory(container) as unknown,
      });
    },
    resolve<T>(token: string): T {
      const entry = lookup.find(token).at(-1);
      if (entry === undefined)
        throw new ContainerError(`${formatPath([...path, token])}: nothing is registered as ${token}.`);
      return valueOf(token, entry) as T;
    },
    resolveAll: <T>(token: string) => lookup.find(token).map((entry) => valueOf(token, entry) as T),
    createScope: () => createContainer(lookup),
    async initialize() {
      for (const token of entries.keys()) check(token, []);
      await Promise.all([...entries.keys()].map(open));
    },
  };
  return container;
}

/** What a scope sees of the container it was made from. */
interface Lookup {
  path: string[];
  find(token: string): readonly Entry[];
}

function formatPath(path: readonly string[]): string {
  return path.join(' -> ');
}
