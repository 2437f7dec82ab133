import { createHash, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyReused } from '../relay/keyed-tokens';
import { writeAtomically } from '../artifacts/write-atomically';
import type { Sql } from '../database/connect';

/** The folder of the artifact folder that holds them; no session has this name. */
export const UPLOADS_FOLDER = 'uploads';

export interface UploadRow {
  fileId: string;
  name: string;
  mediaType: string;
  /** Relative to the artifact folder; it ends with the file's own name, which is the one that sites get. */
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
  /** The absolute path of its bytes. */
  pathOf(row: UploadRow): string;
  /** Resolves to false where there is none. */
  remove(fileId: string): Promise<boolean>;
  /** Removes those that are older than `uploadDays`, at most a batch; resolves to how many. */
  expire(keep: { uploadDays: number }): Promise<number>;
}

const BATCH = 100;

export function createUploadRows(sql: Sql, folder: string): UploadRows {
  const removeFile = (fileId: string) => rm(join(folder, UPLOADS_FOLDER, fileId), { recursive: true, force: true });
  return {
    async save({ name, mediaType, content, idempotencyKey }) {
      const fileId = `file_${randomUUID().replaceAll('-', '')}`;
      const path = join(UPLOADS_FOLDER, fileId, name);
      const sha256 = hashOf(content);
      const keyHash = idempotencyKey === undefined ? null : hashOf(idempotencyKey);
      // The file comes first: a row never names bytes that are not there.
      await writeAtomically(join(folder, path), content);
      const [row] = await sql<UploadRow[]>`
        insert into uploads (file_id, key_hash, name, media_type, path, bytes, sha256)
        values (${fileId}, ${keyHash}, ${name}, ${mediaType}, ${path}, ${content.length}, ${sha256})
        on conflict (key_hash) do nothing returning *`;
      if (row !== undefined) return { row, isReplayed: false };
      await removeFile(fileId);
      const [first] = await sql<UploadRow[]>`select * from uploads where key_hash = ${keyHash}`;
      if (first?.sha256 !== sha256 || first.name !== name) throw new KeyReused('The key was used for another file.');
      return { row: first, isReplayed: true };
    },
    async get(fileId) {
      const [row] = await sql<UploadRow[]>`select * from uploads where file_id = ${fileId}`;
      return row ?? null;
    },
    pathOf: ({ path }) => join(folder, path),
    async remove(fileId) {
      const gone = await sql`delete from uploads where file_id = ${fileId}`;
      if (gone.count > 0) await removeFile(fileId);
      return gone.count > 0;
    },
    async expire({ uploadDays }) {
      const gone = await sql<{ fileId: string }[]>`
        delete from uploads where file_id in (
          select file_id from uploads where at < clock_timestamp() - ${uploadDays} * interval '1 day'
          limit ${BATCH} for update skip locked)
        returning file_id`;
      for (const { fileId } of gone) await removeFile(fileId);
      return gone.length;
    },
  };
}

function hashOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
