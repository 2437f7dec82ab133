import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

const LITTLE_BYTES = 100 * 1024 ** 2;

/** What to do where the local Temporal server does not start on its database. */
export function temporalAdvice(file: string): string {
  return (
    `Temporal keeps its database in ${file}.${onFullDisk(file)} ` +
    'If the lines above call it damaged or incomplete, put a backup in its place, or move it away and start again: ' +
    `\`mkdir ${file}.away && mv ${file} ${file}-wal ${file}-shm ${file}.away/\` (files that are missing don't matter). ` +
    'Lost with it: what Temporal knows of sessions that have not ended; they end as failed, and what they had done until then ' +
    'stands in their logs: read it before you start one of them again. ' +
    'Kept in PostgreSQL: every session with its log, its journal, results, files, recipes and approvals.'
  );
}

/** What to do where the local PostgreSQL server does not start on its data. */
export function postgresAdvice(folder: string): string {
  return (
    `PostgreSQL keeps its data in ${folder}.${onFullDisk(folder)} ` +
    'If the lines above call it damaged or incomplete, put a backup in its place, or move it away and start again: ' +
    `\`mv ${folder} ${folder}.away\`. ` +
    'Lost with it: every session with its log, journal, results, recipes and approvals; sessions that Temporal still runs then fail. ' +
    'Kept: artifacts and uploaded files, which nothing lists any more, and the keys in SUREFOOT_HOME.'
  );
}

function onFullDisk(path: string): string {
  const place = existsSync(path) ? path : dirname(path);
  if (!existsSync(place)) return '';
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  if (free >= LITTLE_BYTES) return '';
  return ` Its disk has ${Math.floor(free / 1024 ** 2)} MB left: free some space and start again, then nothing is lost.`;
}
