import type { DatabaseState, FieldState } from '../../../store/browsers/checkpoints';

/** These functions run in a page, so they use nothing from outside themselves. */

export interface PageStorage {
  scroll: { x: number; y: number };
  local: [string, string][];
  session: [string, string][];
  databases: DatabaseState[];
}

/** Reads what the page's origin and tab store. A store that the page may not use is empty. */
export async function readStorage(maxRecords: number): Promise<PageStorage> {
  const entriesOf = (which: 'localStorage' | 'sessionStorage'): [string, string][] => {
    try {
      return Object.entries(window[which]).map(([key, value]) => [key, String(value)]);
    } catch {
      return [];
    }
  };
  const answer = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB gave an error')));
    });
  const isJson = (value: unknown): boolean => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
    if (typeof value === 'number') return Number.isFinite(value);
    if (Array.isArray(value)) return value.every(isJson);
    if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
    return Object.values(value).every(isJson);
  };
  const read = async ({ name = '', version = 1 }: IDBDatabaseInfo): Promise<DatabaseState> => {
    const database = await answer(indexedDB.open(name));
    const state: DatabaseState = { name, version, stores: [], skipped: 0 };
    let capacity = maxRecords;
    try {
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        const [keys, values] = await Promise.all([
          answer(store.getAllKeys(null, capacity + 1)),
          answer(store.getAll(null, capacity + 1)),
        ]);
        const records = keys
          .map((key, index) => ({ key, value: values[index] as unknown }))
          .filter((record, index) => index < capacity && isJson(record.key) && isJson(record.value));
        state.skipped += keys.length - records.length;
        capacity -= records.length;
        const indexes = [...store.indexNames].map((index) => {
          const { keyPath, unique, multiEntry } = store.index(index);
          return { name: index, keyPath, unique, multiEntry };
        });
        const { keyPath, autoIncrement } = store;
        state.stores.push({ name: storeName, keyPath, autoIncrement, indexes, records });
      }
    } finally {
      database.close();
    }
    return state;
  };
  let databases: DatabaseState[] = [];
  try {
    databases = await Promise.all((await indexedDB.databases()).map(read));
  } catch {
    // An opaque origin has no databases.
  }
  return {
    scroll: { x: Math.round(scrollX), y: Math.round(scrollY) },
    local: entriesOf('localStorage'),
    session: entriesOf('sessionStorage'),
    databases,
  };
}

/** Restores what an origin stored, on an empty page of that origin. */
export async function writeStorage({
  local,
  session,
  databases,
}: {
  local: [string, string][];
  session: [string, string][];
  databases: DatabaseState[];
}): Promise<void> {
  for (const [key, value] of local) localStorage.setItem(key, value);
  for (const [key, value] of session) sessionStorage.setItem(key, value);
  const write = ({ name, version, stores }: DatabaseState): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = indexedDB.open(name, version);
      const fail = (): void => reject(request.error ?? new Error(`the database ${name} could not be written`));
      request.addEventListener('upgradeneeded', () => {
        for (const { name: storeName, keyPath, autoIncrement, indexes, records } of stores) {
          const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement });
          for (const { name: index, keyPath: path, unique, multiEntry } of indexes)
            store.createIndex(index, path, { unique, multiEntry });
          for (const { key, value } of records) {
            if (keyPath === null) store.put(value, key as IDBValidKey);
            else store.put(value);
          }
        }
      });
      request.addEventListener('success', () => {
        request.result.close();
        resolve();
      });
      request.addEventListener('error', fail);
      request.addEventListener('blocked', fail);
    });
  for (const database of databases) await write(database);
}

/**
 * With null: reads the form controls that differ from the page's defaults, and separately those whose values are
 * never kept (passwords, codes, card numbers). With fields: fills them in and counts those that are missing.
 */
export function formControls(wanted: FieldState[] | null): {
  fields: FieldState[];
  guarded: (FieldState & { value: string; isPassword: boolean })[];
  missing: number;
} {
  const NEVER = /password|one-time-code|cc-csc/;
  const counts = new Map<string, number>();
  const result: ReturnType<typeof formControls> = { fields: [], guarded: [], missing: 0 };
  const found = new Set<string>();
  const put = (field: HTMLElement, name: 'value' | 'checked', value: unknown): void => {
    // Frameworks replace the element's own setter and would not notice the change.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), name)?.set?.call(field, value);
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const controls = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    'input, textarea, select',
  );
  for (const field of controls) {
    const isRadio = field.type === 'radio';
    const key = JSON.stringify([field.tagName, field.type, field.id, field.name, isRadio ? field.value : '']);
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    if (/^(?:hidden|file|submit|button|image|reset)$/.test(field.type)) continue;
    const isPassword = field.type === 'password';
    if (wanted === null && (isPassword || NEVER.test(field.autocomplete))) {
      if (field.value !== '') result.guarded.push({ key, nth, value: field.value, isPassword });
      continue;
    }
    const previous = wanted?.find((one) => one.key === key && one.nth === nth)?.value;
    if (previous !== undefined) found.add(`${key}${nth}`);
    if (field instanceof HTMLSelectElement) {
      const chosen = [...field.selectedOptions].map((option) => option.value);
      const usual = [...field.options].filter((option) => option.defaultSelected).map((option) => option.value);
      if (wanted === null) {
        const isUsual =
          usual.length === 0 && !field.multiple ? field.selectedIndex <= 0 : chosen.join('\n') === usual.join('\n');
        if (!isUsual) result.fields.push({ key, nth, value: chosen });
      } else if (Array.isArray(previous) && previous.join('\n') !== chosen.join('\n')) {
        for (const option of field.options) option.selected = previous.includes(option.value);
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
    } else if (field instanceof HTMLInputElement && (isRadio || field.type === 'checkbox')) {
      if (wanted === null) {
        if (field.checked !== field.defaultChecked && (field.checked || !isRadio))
          result.fields.push({ key, nth, value: field.checked });
      } else if (typeof previous === 'boolean' && previous !== field.checked) put(field, 'checked', previous);
    } else if (wanted === null) {
      if (field.value !== field.defaultValue) result.fields.push({ key, nth, value: field.value });
    } else if (typeof previous === 'string' && previous !== field.value) put(field, 'value', previous);
  }
  result.missing = (wanted ?? []).filter((one) => !found.has(`${one.key}${one.nth}`)).length;
  return result;
}
