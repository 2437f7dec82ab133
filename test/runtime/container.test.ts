import fc from 'fast-check';
import { DEPENDENCY_TOKENS } from '../../contracts/modules/dependencies';
import { ErrorCategory } from '../../contracts/errors/error-definition';
import { ContainerError, createContainer } from '../../runtime/container';
import { databaseModule, type Store } from '../../store/store';

const { DATABASE, LOGGER, CONFIG_MANAGER } = DEPENDENCY_TOKENS;

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

function systemError(message: string): unknown {
  return Object.assign(new ContainerError(message), { category: ErrorCategory.SYSTEM });
}

test('[S1.R28] the database opens with settings and logger of the container, by standard tokens', async () => {
  const store = {} as Store;
  const given: unknown[] = [];
  const container = createContainer();
  container.registerModule(
    databaseModule(async (...parts) => {
      given.push(...parts);
      return store;
    }),
  );
  await expect(container.initialize()).rejects.toThrow(`nothing is registered as ${CONFIG_MANAGER}`);
  container.register(CONFIG_MANAGER, { databaseUrl: 'postgres://' });
  container.register(LOGGER, 'the logger');
  await container.initialize();
  expect(given).toEqual([{ databaseUrl: 'postgres://' }, 'the logger']);
  expect(container.resolve(DATABASE)).toBe(store);
});

test('[S1.A15] a function is a factory that is called once, and anything else is an instance', () => {
  const container = createContainer();
  let calls = 0;
  container.register(DATABASE, () => ({ calls: (calls += 1) }));
  const instance = { level: 'INFO' };
  container.register(LOGGER, instance);
  expect(container.resolve(DATABASE)).toEqual({ calls: 1 });
  expect(container.resolve(DATABASE)).toBe(container.resolve(DATABASE));
  expect(container.resolve(LOGGER)).toBe(instance);
});

test('[S1.A15] the last registration wins, and all of them are there for those who ask for all', () => {
  const container = createContainer();
  expect(container.resolveAll(LOGGER)).toEqual([]);
  container.register(LOGGER, 'first');
  container.register(LOGGER, () => 'second');
  expect(container.resolve(LOGGER)).toBe('second');
  expect(container.resolveAll(LOGGER)).toEqual(['first', 'second']);
});

test('[S1.A15] a scope falls back to its parent, shares what that keeps, and keeps its own', () => {
  const parent = createContainer();
  parent.register(DATABASE, () => ({}));
  parent.register(LOGGER, 'of the parent');
  const scope = parent.createScope();
  scope.register(LOGGER, 'of the scope');
  expect(scope.resolve(DATABASE)).toBe(parent.resolve(DATABASE));
  expect(scope.resolve(LOGGER)).toBe('of the scope');
  expect(parent.resolve(LOGGER)).toBe('of the parent');
  expect(scope.createScope().resolve(LOGGER)).toBe('of the scope');
});

test('[S1.A15] an unknown token and a circle are SYSTEM errors that name the path of dependencies', () => {
  const container = createContainer();
  container.register('a', () => container.resolve('b'));
  container.register('b', () => container.resolve('c'));
  expect(errorOf(() => container.resolve('a'))).toEqual(systemError('a -> b -> c: nothing is registered as c.'));
  container.register('c', () => container.resolve('a'));
  expect(errorOf(() => container.resolve('a'))).toEqual(systemError('a -> b -> c -> a needs itself.'));
  // What failed leaves no trace: another question gets its own path.
  expect(errorOf(() => container.resolve('b'))).toEqual(systemError('b -> c -> a -> b needs itself.'));
});

test('a circle through a scope is found as well', () => {
  const parent = createContainer();
  const scope = parent.createScope();
  parent.register('a', () => scope.resolve('b'));
  scope.register('b', () => parent.resolve('a'));
  expect(errorOf(() => parent.resolve('a'))).toEqual(systemError('a -> b -> a needs itself.'));
});

test('modules are opened after what they need, and only then given out', async () => {
  const container = createContainer();
  const order: string[] = [];
  const module = (moduleId: string, dependencies: string[]) =>
    container.registerModule({
      moduleId,
      dependencies,
      singleton: true,
      initializeAsync: true,
      factory: async (given) => {
        for (const dependency of dependencies) expect(given.resolve(dependency)).toBe(`${dependency} is open`);
        await Promise.resolve();
        order.push(moduleId);
        return `${moduleId} is open`;
      },
    });
  module(LOGGER, [DATABASE]);
  module(DATABASE, [CONFIG_MANAGER]);
  module(CONFIG_MANAGER, []);
  expect(errorOf(() => container.resolve(DATABASE))).toEqual(
    systemError('Database is not open yet: await initialize() first.'),
  );
  await container.initialize();
  expect(order).toEqual([CONFIG_MANAGER, DATABASE, LOGGER]);
  expect(container.resolve(LOGGER)).toBe('Logger is open');
});

test('a missing or circular dependency is found before anything is opened', async () => {
  let opened = 0;
  const withModules = (modules: Record<string, string[]>) => {
    const container = createContainer();
    for (const [moduleId, dependencies] of Object.entries(modules)) {
      const factory = () => Promise.resolve((opened += 1));
      container.registerModule({ moduleId, dependencies, singleton: true, initializeAsync: true, factory });
    }
    return container;
  };
  await expect(withModules({ a: [], b: ['c'] }).initialize()).rejects.toThrow('b -> c: nothing is registered as c.');
  await expect(withModules({ a: ['b'], b: ['a'] }).initialize()).rejects.toThrow('a -> b -> a needs itself.');
  expect(opened).toBe(0);
});

test('a module that is no singleton is made anew each time, and one that can not be opened says why', async () => {
  const container = createContainer();
  container.registerModule({ moduleId: 'a', dependencies: [], singleton: false, factory: () => ({}) });
  expect(container.resolve('a')).not.toBe(container.resolve('a'));
  container.registerModule({
    moduleId: 'b',
    dependencies: ['a'],
    singleton: true,
    initializeAsync: true,
    factory: () => Promise.reject(new Error('The database does not answer.')),
  });
  await expect(container.initialize()).rejects.toThrow('The database does not answer.');
});

test('whatever needs what, modules without a circle are all opened, each once and after its needs', async () => {
  const graph = fc
    .integer({ min: 1, max: 8 })
    .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => fc.subarray([...Array(index).keys()]))));
  await fc.assert(
    fc.asyncProperty(graph, fc.boolean(), async (needs, isReversed) => {
      const container = createContainer();
      const order: number[] = [];
      const modules = needs.map((of, index) => ({ of, index }));
      for (const { of, index } of isReversed ? modules.toReversed() : modules) {
        container.registerModule({
          moduleId: String(index),
          dependencies: of.map(String),
          singleton: true,
          initializeAsync: true,
          factory: () => Promise.resolve(order.push(index)),
        });
      }
      await container.initialize();
      expect([...order].sort((a, b) => a - b)).toEqual(modules.map(({ index }) => index));
      for (const { of, index } of modules)
        for (const need of of) expect(order.indexOf(need)).toBeLessThan(order.indexOf(index));
    }),
  );
});
