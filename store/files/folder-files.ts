import { open, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UPLOADS_FOLDER, type Files, type OrphanRules } from './files';
import { writeAtomically } from './write-atomically';

const BATCH = 100;

/** Files in a folder, made when it is first written to. */
export function createFolderFiles(folder: string): Files {
  return {
    write: (path, bytes) => writeAtomically(join(folder, path), bytes),
    read: (path) => readFile(join(folder, path)),
    open: (path) => open(join(folder, path)),
    localPath: (path) => Promise.resolve(join(folder, path)),
    async remove(paths) {
      for (const path of paths) await rm(join(folder, path), { force: true });
      // Those that are empty then.
      for (const own of new Set(paths.map((path) => dirname(join(folder, path))))) await rmdir(own).catch(() => {});
    },
    removeOrphans: (rules) => removeOrphans(folder, rules),
    close() {},
  };
}

/**
 * Removes parts of a killed write, and files whose row was deleted first. A folder of an open session is never touched. The age
 * of an unknown one is measured by the file system's clock.
 */
async function removeOrphans(folder: string, { lookUp, unknownMs }: OrphanRules): Promise<number> {
  const names = await foldersIn(folder);
  if (names.length === 0) return 0;
  const nowMs = await fileTime(folder);
  let removed = 0;
  for (let from = 0; from < names.length; from += BATCH) {
    const ids = names.slice(from, from + BATCH);
    const { isSettled, paths } = await lookUp(ids);
    for (const id of ids)
      if (isSettled.get(id) ?? (await mtime(join(folder, id))) < nowMs - unknownMs)
        removed += await removeUnknown(folder, id, paths);
  }
  return removed;
}

async function removeUnknown(folder: string, sessionId: string, known: ReadonlySet<string>): Promise<number> {
  const names = await readdir(join(folder, sessionId)).catch(() => []);
  const unknown = names.filter((name) => !known.has(join(sessionId, name)));
  for (const name of unknown) await rm(join(folder, sessionId, name), { recursive: true, force: true });
  if (unknown.length === names.length) await rmdir(join(folder, sessionId)).catch(() => {});
  return unknown.length;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && entry.name !== UPLOADS_FOLDER).map(({ name }) => name);
}

async function fileTime(folder: string): Promise<number> {
  const file = join(folder, '.now');
  await writeFile(file, '');
  return await mtime(file);
}

async function mtime(path: string): Promise<number> {
  return (await stat(path)).mtimeMs;
}
