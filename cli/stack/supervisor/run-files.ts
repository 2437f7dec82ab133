import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PRIVATE } from '../../../runtime/private-folder';
import { stackFilePath, type StackFile } from '../../../runtime/settings/stack-file';
import { isAlive, ProcessIdentitySchema } from '../../../runtime/process-identity';

/** `<home>/run/<name>.json`: what the next supervisor needs to find and end a child when this one was killed. */
export const RunRecordSchema = ProcessIdentitySchema.extend({
  name: z.string(),
  port: z.number().optional(),
  address: z.string().optional(),
  startedAt: z.string(),
  restarts: z.number(),
  supervisorPid: z.number(),
  stopSignal: z.enum(['SIGTERM', 'SIGINT']),
  /** Lower ones are stopped first. */
  stopOrder: z.number(),
});
export type RunRecord = z.infer<typeof RunRecordSchema>;

/** One line of `surefoot ps`. */
export interface ProcessRow {
  name: string;
  pid: number;
  port: number | undefined;
  address: string | undefined;
  alive: boolean;
  restarts: number;
  startedAt: string;
}

/** Lists the processes of the stack that runs, or was killed, in this home, in their start order. */
export function listProcesses(home: string): ProcessRow[] {
  return readRunRecords(home)
    .sort((one, other) => other.stopOrder - one.stopOrder || one.name.localeCompare(other.name))
    .map((record) => ({
      name: record.name,
      pid: record.pid,
      port: record.port,
      address: record.address,
      alive: isAlive(record),
      restarts: record.restarts,
      startedAt: record.startedAt,
    }));
}

export function readRunRecords(home: string): RunRecord[] {
  const folder = runFolder(home);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && join(folder, file) !== stackFilePath(home))
    .flatMap((file) => {
      const parsed = RunRecordSchema.safeParse(parseJson(join(folder, file)));
      return parsed.success ? [parsed.data] : [];
    });
}

export function writeRunRecord(home: string, record: RunRecord): void {
  writeWhole(join(runFolder(home), `${record.name}.json`), record);
}

export function removeRunRecord(home: string, name: string): void {
  rmSync(join(runFolder(home), `${name}.json`), { force: true });
  rmSync(readyFilePath(home, name), { force: true });
}

/** Returns the file that SUREFOOT_READY_FILE names to a child. */
export function readyFilePath(home: string, name: string): string {
  return join(runFolder(home), `${name}.ready`);
}

/** Writes the addresses for the command line; only the owner may read the file, which has the database's password. */
export function writeStackFile(home: string, stack: StackFile): void {
  writeWhole(stackFilePath(home), stack);
}

export function removeStackFile(home: string): void {
  rmSync(stackFilePath(home), { force: true });
}

/** Returns undefined when the file is missing or incomplete. */
export function parseJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export function runFolder(home: string): string {
  return join(home, 'run');
}

function writeWhole(file: string, content: object): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: PRIVATE.folder });
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: PRIVATE.file });
  renameSync(`${file}.part`, file);
}
