import { readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../database/connect';
import { UPLOADS_FOLDER } from '../uploads/uploads';

const BATCH = 100;
/** Longer than any write takes between its file and its row. */
const SETTLED = '1 hour';
const HOUR_MS = 3_600_000;

/**
 * Removes files of the artifact folder without a row: parts of a killed write, or files whose row was deleted first.
 * A folder of an open session is never touched; one of a session that the database does not know at all may be
 * another database's, so it stays as long as artifacts do. Its age is measured by the file system's clock.
 */
export async function removeOrphanFiles(
  sql: Sql,
  folder: string,
  { artifactHours }: { artifactHours: number },
): Promise<number> {
  const names = await foldersIn(folder);
  if (names.length === 0) return 0;
  const nowMs = await fileTime(folder);
  let removed = 0;
  for (let from = 0; from < names.length; from += BATCH) {
    const ids = names.slice(from, from + BATCH);
    const rows = await sql<{ sessionId: string; isSettled: boolean }[]>`
      select session_id, closed and last_activity < clock_timestamp() - ${SETTLED}::interval as is_settled
      from sessions where session_id in ${sql(ids)}`;
    const known = new Map(rows.map((row) => [row.sessionId, row.isSettled]));
    const kept = await sql<{ path: string }[]>`select path from artifacts where session_id in ${sql(ids)}`;
    const paths = new Set(kept.map((row) => row.path));
    for (const id of ids) {
      const isSettled = known.get(id) ?? (await mtime(join(folder, id))) < nowMs - artifactHours * HOUR_MS;
      if (isSettled) removed += await removeUnknown(folder, id, paths);
    }
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
