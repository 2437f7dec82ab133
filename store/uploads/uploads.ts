import { createHash, randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { KeyReused } from '../relay/keyed-tokens';
import type { Sql } from '../database/connect';
import { UPLOADS_FOLDER, type Files } from '../files/files';

export interface UploadRow {
  fileId: string;
  name: string;
  mediaType: string;
  /** Among the files; it ends with the file's own name, which is the one that sites get. */
  path: string;
  bytes: number;
  sha256: string;
  at: Date;
}

export interface NewUpload {
  /** A plain file name. */
  name: string;
  mediaType: string;
  content: Uint8Array;
  idempotencyKey?: string | undefined;
}

/** Files that callers gave to be uploaded to sites, found by id. */
export interface UploadRows {
  /** Throws ArtifactNotSaved where the file can't be written, and KeyReused for the key of another file. */
  save(upload: NewUpload): Promise<{ row: UploadRow; isReplayed: boolean }>;
  get(fileId: string): Promise<UploadRow | null>;
  read(row: UploadRow): Promise<Buffer>;
  /** Where programs of this host read it, under its own name; a copy goes into a folder that is asked for. */
  localPath(row: UploadRow, folder: () => Promise<string>): Promise<string>;
  /** Resolves to false where there is none. */
  remove(fileId: string): Promise<boolean>;
  /** Removes those that are older than `uploadDays`, at most a batch; resolves to how many. */
  expire(keep: { uploadDays: number }): Promise<number>;
}

const BATCH = 100;

export function createUploadRows(sql: Sql, files: Files): UploadRows {
  return {
    async save({ name, mediaType, content, idempotencyKey }) {
      const fileId = `file_${randomUUID().replaceAll('-', '')}`;
      const path = posix.join(UPLOADS_FOLDER, fileId, name);
      const sha256 = hashOf(content);
      const keyHash = idempotencyKey === undefined ? null : hashOf(idempotencyKey);
      // The file comes first: a row never names bytes that are not there.
      await files.write(path, content);
      const [row] = await sql<UploadRow[]>`
        insert into uploads (file_id, key_hash, name, media_type, path, bytes, sha256)
        values (${fileId}, ${keyHash}, ${name}, ${mediaType}, ${path}, ${content.length}, ${sha256})
        on conflict (key_hash) do nothing returning *`;
      if (row !== undefined) return { row, isReplayed: false };
      await files.remove([path]);
      const [first] = await sql<UploadRow[]>`select * from uploads where key_hash = ${keyHash}`;
      if (first?.sha256 !== sha256 || first.name !== name) throw new KeyReused('The key was used for another file.');
      return { row: first, isReplayed: true };
    },
    async get(fileId) {
      const [row] = await sql<UploadRow[]>`select * from uploads where file_id = ${fileId}`;
      return row ?? null;
    },
    read: ({ path }) => files.read(path),
    localPath: ({ path }, folder) => files.localPath(path, folder),
    async remove(fileId) {
      const gone = await sql<{ path: string }[]>`delete from uploads where file_id = ${fileId} returning path`;
      await files.remove(gone.map(({ path }) => path));
      return gone.length > 0;
    },
    async expire({ uploadDays }) {
      const gone = await sql<{ path: string }[]>`
        delete from uploads where file_id in (
          select file_id from uploads where at < clock_timestamp() - ${uploadDays} * interval '1 day'
          limit ${BATCH} for update skip locked)
        returning path`;
      await files.remove(gone.map(({ path }) => path));
      return gone.length;
    },
  };
}

function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
