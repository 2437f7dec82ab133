import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PRIVATE } from './private-folder';

/** What is wrong where Chromes run without their sandbox. */
export const WITHOUT_SANDBOX =
  'Chrome runs WITHOUT ITS SANDBOX: a page that breaks out of its renderer has the rights of the user that runs the keeper. ' +
  'Start the keeper as a user that is not root, or let root start Chrome as another user (docs/security.md, Chrome’s sandbox)';

const NoteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('on') }),
  z.object({ kind: z.literal('off'), reason: z.string() }),
]);
type Note = z.infer<typeof NoteSchema>;

const FILE = 'sandbox.json';

/** Notes beside the browsers of a host how they are confined, for the command line. */
export function noteSandbox(root: string, note: Note): void {
  const file = join(root, FILE);
  writeFileSync(`${file}.part`, JSON.stringify(NoteSchema.parse(note)), { mode: PRIVATE.file });
  renameSync(`${file}.part`, file);
}

/** Returns why Chromes of hosts of this home run without a sandbox, by the names of the hosts. */
export function hostsWithoutSandbox(home: string): { hostId: string; reason: string }[] {
  return foldersIn(join(home, 'browsers')).flatMap((hostId) => {
    const note = read(join(home, 'browsers', hostId, FILE));
    return note?.kind === 'off' ? [{ hostId, reason: note.reason }] : [];
  });
}

function read(file: string): Note | undefined {
  try {
    return NoteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
