import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endProcess } from './end-process';
import { removeFolders, socketFolderOf } from '../../../runtime/browser-folder';
import { isAlive, ProcessIdentitySchema, type ProcessIdentity } from '../../../runtime/process-identity';
import { withProgress, type Reporter } from '../reporting/reporter';
import { parseJson, readRunRecords, removeRunRecord, removeStackFile } from './run-files';
import { inStopOrder } from './stop-order';

/** Ends the processes that a killed supervisor left running, in the order of a normal stop, and removes its files. */
export async function endLeftovers(home: string, reporter: Reporter): Promise<void> {
  const records = readRunRecords(home);
  const alive = records.filter(isAlive);
  if (alive.length > 0) {
    reporter.step(`ending processes of an earlier start: ${alive.map((record) => record.name).join(', ')}`);
  }
  await withProgress(reporter, 'waiting for these processes to end, at most a few seconds', async () => {
    await inStopOrder(records, async (record) => {
      await endProcess(record, record.stopSignal);
      removeRunRecord(home, record.name);
    });
    await endKeptBrowsers(home);
  });
  removeStackFile(home);
}

/** Ends Chromes, which outlive the keeper that started them; the keeper writes a marker file beside each profile. */
export async function endKeptBrowsers(home: string): Promise<void> {
  // After them: its process is their way out.
  const egresses = foldersIn(join(home, 'browsers')).map((folder) => parseJson(join(folder, 'egress.json')));
  await Promise.all(
    keptBrowsers(home).map(async ({ file, identity }) => {
      const folder = dirname(file);
      // Read first: a Chrome that closes removes the link to its socket folder.
      const socketFolder = await socketFolderOf(folder);
      await endProcess(identity, 'SIGTERM');
      // The profile has data of its sites, and no session uses it again.
      await removeFolders(folder, socketFolder);
    }),
  );
  for (const egress of egresses) {
    const parsed = ProcessIdentitySchema.safeParse(egress);
    if (parsed.success) await endProcess(parsed.data, 'SIGTERM');
  }
}

/** Lists the marker files `<home>/browsers/<tenant or host>/<session>/browser.json`. */
function keptBrowsers(home: string): { file: string; identity: ProcessIdentity }[] {
  const folder = join(home, 'browsers');
  return foldersIn(folder)
    .flatMap(foldersIn)
    .flatMap((profile) => {
      const file = join(profile, 'browser.json');
      const parsed = ProcessIdentitySchema.safeParse(parseJson(file));
      return parsed.success ? [{ file, identity: parsed.data }] : [];
    });
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}
