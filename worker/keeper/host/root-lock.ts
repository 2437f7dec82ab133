import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, startTicksOf } from '../../../runtime/process-identity';

const LockSchema = z.object({ pid: z.int().positive(), startTicks: z.string() });

/**
 * Makes this process the only keeper of the folder. Two keepers would each open relays to the same Chromes, and an
 * epoch that one cut off could come in through the other.
 */
export function lockRoot(root: string): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const file = join(root, 'keeper.json');
  const holder = readLock(file);
  if (holder !== undefined && holder.pid !== process.pid && isAlive(holder)) {
    throw new Error(
      `Another keeper (process ${holder.pid}) holds the browsers in ${root}: stop it, or give this one its own SUREFOOT_HOST_ID.`,
    );
  }
  writeFileSync(`${file}.part`, JSON.stringify({ pid: process.pid, startTicks: startTicksOf(process.pid) ?? '' }));
  renameSync(`${file}.part`, file);
}

function readLock(file: string): z.infer<typeof LockSchema> | undefined {
  try {
    return LockSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
