import { basename } from 'node:path';
import { isFileId, MAX_FILE_BYTES, type UploadedFile } from '../../contracts/files/file';
import { MAX_FILE_NAME_BYTES } from '../../contracts/files/file-name';
import { ArtifactNotSaved } from '../../store/files/write-atomically';
import { KeyReused } from '../../store/relay/keyed-tokens';
import type { Store } from '../../store/store';
import type { UploadRow } from '../../store/uploads/uploads';
import { fromStore } from '../connection/store-errors';
import { keyReused, parseIdempotencyKey } from '../connection/idempotency-key';
import type { IdempotencyOptions } from '../port/receipt';
import { ClientError } from '../port/port';
import { invalid } from '../connection/invalid';
import { notFound } from '../rows/session-row';

export interface GivenFile {
  name: string;
  mediaType: string;
  content: Uint8Array;
}

/** Files that steps and tasks may upload to sites, by their ids. Methods may throw ClientError. */
export interface Uploads {
  upload(file: GivenFile, options?: IdempotencyOptions): Promise<{ file: UploadedFile; isReplayed: boolean }>;
  get(fileId: string): Promise<UploadedFile>;
  /** Deletes a file; a step that still names it fails. */
  remove(fileId: string): Promise<void>;
}

const CONTROL = /(?![\u0080-\u009f])\p{Cc}/u;

export function createUploads({ store }: { store: Pick<Store, 'uploads'> }): Uploads {
  return {
    async upload({ name, mediaType, content }, { idempotencyKey } = {}) {
      assertUsable(name, content);
      const key = idempotencyKey === undefined ? undefined : parseIdempotencyKey(idempotencyKey);
      const given = { name, mediaType: mediaType || 'application/octet-stream', content, idempotencyKey: key };
      const { row, isReplayed } = await fromStore(() => store.uploads.save(given)).catch(toClientError);
      return { file: toUploadedFile(row), isReplayed };
    },
    get: (fileId) =>
      fromStore(async () => {
        const row = await store.uploads.get(fileId);
        if (row === null) throw noFile(fileId);
        return toUploadedFile(row);
      }),
    remove: (fileId) =>
      fromStore(async () => {
        if (!(await store.uploads.remove(fileId))) throw noFile(fileId);
      }),
  };
}

function assertUsable(name: string, content: Uint8Array): void {
  const isPlain = name !== '' && name !== '.' && name !== '..' && basename(name) === name && !name.includes('\\');
  if (!isPlain || CONTROL.test(name) || Buffer.byteLength(name) > MAX_FILE_NAME_BYTES || isFileId(name)) {
    const message = `expected a plain file name of at most ${MAX_FILE_NAME_BYTES} bytes, such as invoice.pdf, got ${JSON.stringify(name.slice(0, 80))}`;
    throw invalid('The file is not usable', [{ path: 'file', message }]);
  }
  if (content.length <= MAX_FILE_BYTES) return;
  const limit = `${MAX_FILE_BYTES / 1024 / 1024} MB`;
  throw new ClientError('too-large', 'FA001', `“${name}” is larger than ${limit}, the most that a file may have.`);
}

function toClientError(error: unknown): never {
  if (error instanceof KeyReused) throw keyReused('a file');
  if (error instanceof ArtifactNotSaved)
    throw new ClientError('unavailable', 'CM002', `The file was not stored: ${error.message}.`, { cause: error });
  throw error;
}

function toUploadedFile({ fileId, name, mediaType, bytes, sha256, at }: UploadRow): UploadedFile {
  return { fileId, name, mediaType, bytes, sha256, createdAt: at };
}

function noFile(fileId: string): ClientError {
  return notFound(`There is no uploaded file ${fileId}; it may have expired.`);
}
