import type { StorageState } from '../../contracts/sessions/profile';
import type { Checkpoint, DatabaseState } from '../../store/browsers/checkpoints';

type StoredOrigin = StorageState['origins'][number];
type StoredDatabase = NonNullable<StoredOrigin['indexedDB']>[number];
type KeyPath = Pick<StoredDatabase['stores'][number], 'keyPath' | 'keyPathArray'>;

/** What Playwright calls a storage state, as the state of a browser. Records of IndexedDB that JSON can't hold are left out, and counted. */
export function fromStorageState({ cookies, origins }: StorageState): Checkpoint {
  const found = origins.map(({ origin, localStorage, indexedDB = [] }) => ({
    origin: new URL(origin).origin,
    local: localStorage.map(({ name, value }): [string, string] => [name, value]),
    databases: indexedDB.map(toDatabase),
  }));
  const omitted = found.flatMap(({ origin, databases }) => {
    const skipped = databases.reduce((sum, database) => sum + database.skipped, 0);
    return skipped === 0 ? [] : [`${skipped} IndexedDB records of ${origin}, whose keys or values JSON can't hold`];
  });
  return { cookies, origins: found, tabs: [], omitted };
}

/** As `browser.newContext({ storageState })` takes it. */
export function toStorageState({ cookies, origins }: Checkpoint): StorageState {
  return {
    cookies: cookies as StorageState['cookies'],
    origins: origins.map(({ origin, local, databases }) => ({
      origin,
      localStorage: local.map(([name, value]) => ({ name, value })),
      ...(databases.length === 0 ? {} : { indexedDB: databases.map(fromDatabase) }),
    })),
  };
}

function toDatabase({ name, version, stores }: StoredDatabase): DatabaseState {
  let skipped = 0;
  const found = stores.map(({ name: store, autoIncrement, indexes, records, ...path }) => {
    const keyPath = toKeyPath(path);
    const kept = records.filter(({ key, value }) => value !== undefined && (keyPath !== null || key !== undefined));
    skipped += records.length - kept.length;
    return {
      name: store,
      keyPath,
      autoIncrement,
      indexes: indexes.map(({ name: index, unique, multiEntry, ...of }) => ({
        name: index,
        keyPath: toKeyPath(of) ?? '',
        unique,
        multiEntry,
      })),
      records: kept.map(({ key = null, value }) => ({ key, value })),
    };
  });
  return { name, version, stores: found, skipped };
}

function fromDatabase({ name, version, stores }: DatabaseState): StoredDatabase {
  return {
    name,
    version,
    stores: stores.map(({ name: store, keyPath, autoIncrement, indexes, records }) => ({
      name: store,
      autoIncrement,
      ...fromKeyPath(keyPath),
      indexes: indexes.map(({ name: index, keyPath: of, unique, multiEntry }) => ({
        name: index,
        unique,
        multiEntry,
        ...fromKeyPath(of),
      })),
      records: records.map(({ key, value }) => ({
        ...(keyPath === null ? { key } : {}),
        value,
      })),
    })),
  };
}

function toKeyPath({ keyPath, keyPathArray }: KeyPath): string | string[] | null {
  return keyPathArray ?? keyPath ?? null;
}

function fromKeyPath(keyPath: string | string[] | null): KeyPath {
  if (keyPath === null) return {};
  return Array.isArray(keyPath) ? { keyPathArray: keyPath } : { keyPath };
}
