import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A recorded call. Values of one run are placeholders, secrets are redacted. */
const RecordingSchema = z.strictObject({
  model: z.string(),
  request: z.array(z.string()),
  /** The streamed text, and the length of each delta. */
  streamed: z.string(),
  pieces: z.array(z.int()),
  /** The answer as JSON. */
  answer: z.string(),
});
export type Recording = z.infer<typeof RecordingSchema>;

/** Opens a folder with one file for each request, named by the request's hash. */
export function openCassetteFolder(folder: string) {
  const fileOf = (hash: string): string => join(folder, `${hash}.json`);
  const read = (file: string): Recording => RecordingSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    find(hash: string): Recording | undefined {
      try {
        return read(fileOf(hash));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw new Error(`The recording ${fileOf(hash)} can't be read: ${(error as Error).message}`, { cause: error });
      }
    },
    /** Writes atomically: several workers record at once and may be killed. */
    save(hash: string, recording: Recording): void {
      mkdirSync(folder, { recursive: true });
      const draft = `${fileOf(hash)}.${process.pid}.part`;
      writeFileSync(draft, `${JSON.stringify(recording, null, 2)}\n`);
      renameSync(draft, fileOf(hash));
    },
    /** All valid recordings by the names of their files. */
    all(): Map<string, Recording> {
      const found = new Map<string, Recording>();
      for (const name of namesIn(folder)) {
        const parsed = RecordingSchema.safeParse(jsonOf(join(folder, name)));
        if (parsed.success) found.set(name, parsed.data);
      }
      return found;
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
