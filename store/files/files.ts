import type { Readable } from 'node:stream';

/**
 * The bytes of artifacts and uploads, under paths such as `SESSION/ID.png`: in a folder, or in a bucket. What reads a file that
 * is not there fails with the code ENOENT, and with FilesUnavailable where that can not be known.
 */
export interface Files {
  /** Writes a file whole or not at all. Throws ArtifactNotSaved. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  read(path: string): Promise<Buffer>;
  open(path: string): Promise<StoredBytes>;
  /** Where programs of this host read it: a copy under its own name, in a folder that is asked for, where it is elsewhere. */
  localPath(path: string, folder: () => Promise<string>): Promise<string>;
  /** Removes files; one that is not there is no error. */
  remove(paths: readonly string[]): Promise<void>;
  /** Removes files of sessions that no row knows; resolves to how many. */
  removeOrphans(orphans: OrphanRules): Promise<number>;
  close(): void;
}

/** A file that is open; a FileHandle is one. */
export interface StoredBytes {
  /** `end` is part of it. */
  createReadStream(range?: { start?: number; end?: number }): Readable;
  readFile(): Promise<Buffer>;
  close(): Promise<void>;
}

/** The folder that holds uploads; no session has this name. */
export const UPLOADS_FOLDER = 'uploads';

export interface OrphanRules {
  /** What the database knows of sessions. */
  lookUp(sessionIds: readonly string[]): Promise<{
    /** Whether each has ended so long ago that no write of its files is under way; a session is missing where it is unknown. */
    isSettled: ReadonlyMap<string, boolean>;
    paths: ReadonlySet<string>;
    now: Date;
  }>;
  /** A session that the database does not know may be another database's: its files stay so long. */
  unknownMs: number;
}

/** Files can not be reached now; the message says why. */
export class FilesUnavailable extends Error {}
