import { mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fileSystemTime } from '../../runtime/file-system-time';
import type { CommandIntent } from './intent';

/** An intent as its host noted it, after the database had it and before it acted. */
const NotedIntentSchema = z.object({
  kind: z.literal('intent'),
  intent: z.custom<CommandIntent>((value) => typeof (value as Partial<CommandIntent> | null)?.commandId === 'string'),
  epoch: z.number(),
  /** The session's last record at that moment. */
  seq: z.number(),
  /** ISO-8601, by the clock of the host, as the times of its keeper's evidence. */
  at: z.string(),
});
export type NotedIntent = z.infer<typeof NotedIntentSchema>;

const NoteSchema = z.discriminatedUnion('kind', [
  NotedIntentSchema,
  /** A worker of the host got this lease. */
  z.object({ kind: z.literal('lease'), epoch: z.number() }),
]);
type Note = z.infer<typeof NoteSchema>;

/** What a host knows of a session, whatever its database says. */
export interface Noted {
  /** Oldest first. */
  intents: readonly NotedIntent[];
  /** The newest lease; 0 where none is known. */
  epoch: number;
}

/**
 * The intents of this host in files of its own, one a session. A database that is put back to an earlier time lacks the
 * newest of them, and so is known to have forgotten. Any worker of the host reads what another one has noted.
 */
export interface IntentWitness {
  /**
   * Resolves when the note outlives the death of every process, and for an intent of a commit the loss of power too.
   * Rejects with WitnessNotSaved, and then nothing may act.
   */
  note(sessionId: string, note: Note): Promise<void>;
  of(sessionId: string): Promise<Noted>;
  remove(sessionId: string): Promise<void>;
  /** The sessions of the host, with the time in ms since their last note. */
  list(): Promise<{ sessionId: string; quietForMs: number }[]>;
}

/** The host's notes can't be written: its disk is full, or permission is missing. */
export class WitnessNotSaved extends Error {
  constructor(cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(`The folder \`witness\` in SUREFOOT_HOME can't be written (${code ?? message}), so no command may act.`, {
      cause,
    });
    this.name = 'WitnessNotSaved';
  }
}

const SUFFIX = '.jsonl';
/** Of sessions whose files are remembered; a host has far fewer at a time. */
const MOST_REMEMBERED = 1000;

export function createIntentWitness(folder: string): IntentWitness {
  const known = new Map<string, { bytes: number; noted: KnownNotes }>();
  const pathOf = (sessionId: string): string => join(folder, `${sessionId}${SUFFIX}`);

  async function append(sessionId: string, note: Note): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Begins a line of its own, also after one that a dead worker has left unfinished.
    const line = Buffer.from(`\n${JSON.stringify(note)}\n`);
    const file = await open(pathOf(sessionId), 'a', 0o600);
    try {
      const isNew = (await file.stat()).size === 0;
      await file.write(line);
      if (note.kind === 'intent' && note.intent.effect === 'commit') {
        // Of the notes before it too: they are in the same file.
        await file.datasync();
        if (isNew) await syncFolder(folder);
      }
    } finally {
      await file.close();
    }
    const cached = known.get(sessionId);
    if (cached === undefined) return;
    cached.bytes += line.length;
    add(cached.noted, note);
  }

  return {
    async note(sessionId, note) {
      try {
        await append(sessionId, note);
      } catch (error) {
        throw new WitnessNotSaved(error);
      }
    },
    async of(sessionId) {
      const bytes = await sizeOf(pathOf(sessionId));
      const cached = known.get(sessionId);
      if (cached?.bytes === bytes) return cached.noted;
      const text = bytes === 0 ? '' : await readFile(pathOf(sessionId), 'utf8');
      const noted: KnownNotes = { intents: [], epoch: 0 };
      for (const note of notesIn(text)) add(noted, note);
      if (known.size >= MOST_REMEMBERED) known.clear();
      known.set(sessionId, { bytes: Buffer.byteLength(text), noted });
      return noted;
    },
    async remove(sessionId) {
      known.delete(sessionId);
      await rm(pathOf(sessionId), { force: true });
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      const files = names.filter((name) => name.endsWith(SUFFIX));
      const now = fileSystemTime(folder);
      return await Promise.all(
        files.map(async (name) => {
          const changedAt = (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? now;
          return { sessionId: name.slice(0, -SUFFIX.length), quietForMs: now - changedAt };
        }),
      );
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** A new file is found after a loss of power only when its folder is on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function notesIn(text: string): Note[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [NoteSchema.parse(JSON.parse(line))];
    } catch {
      // A line that is cut was being written when its worker died: nothing has acted on it.
      return [];
    }
  });
}

type KnownNotes = Noted & { intents: NotedIntent[] };

function add(noted: KnownNotes, note: Note): void {
  noted.epoch = Math.max(noted.epoch, note.epoch);
  if (note.kind === 'intent') noted.intents.push(note);
}
