import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Harness } from '../harness/harness';

/** Folders of the databases, whose size the database reports. */
const DATABASES = ['postgres', 'temporal'];

/** Measures bytes per part: folders of the home, the temporary folder, and the two databases. */
export async function bytesByPart({ home, stack }: Harness, temporary: string): Promise<Record<string, number>> {
  const folders = readdirSync(home).filter((name) => !DATABASES.includes(name));
  return {
    ...Object.fromEntries(folders.map((name) => [name, walk(join(home, name))])),
    TMPDIR: walk(temporary),
    database: await databaseBytes(stack.addresses.databaseUrl),
    'temporal.db': walk(join(home, 'temporal')),
  };
}

/** Counts the folders of Chromes, of workers and in TMPDIR. */
export function temporaryFolders({ home }: Harness, temporary: string): number {
  return [join(home, 'tmp'), join(home, 'browsers'), temporary].reduce((sum, folder) => sum + foldersIn(folder, 3), 0);
}

function foldersIn(folder: string, depth: number): number {
  if (depth === 0) return 0;
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .reduce((sum, { name }) => sum + 1 + foldersIn(join(folder, name), depth - 1), 0);
}

function walk(path: string): number {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return 0;
  if (!entry.isDirectory()) return entry.size;
  return entriesOf(path).reduce((sum, { name }) => sum + walk(join(path, name)), 0);
}

/** Returns no entries when the folder is being removed. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function databaseBytes(databaseUrl: string): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const [row] = await sql<{ bytes: string }[]>`select pg_database_size(current_database()) as bytes`;
    return Number(row!.bytes);
  } finally {
    await sql.end();
  }
}
