import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { writeFile } from 'node:fs/promises';
import type * as Sdk from '@aws-sdk/client-s3';
import { FilesUnavailable, UPLOADS_FOLDER, type Files, type OrphanRules, type StoredBytes } from './files';
import { ArtifactNotSaved } from './write-atomically';

/** A bucket of Amazon S3, or of a server that speaks its protocol. */
export interface BucketPlace {
  bucket: string;
  /** What its keys begin with; empty, or it ends with a slash. */
  prefix: string;
  /** Absent for Amazon's own. */
  endpoint?: string | undefined;
  region: string;
}

/** Of one request, its connection and each pause in its answer. */
const CONNECT_MS = 5000;
const SILENCE_MS = 20_000;
const REMOVED_AT_ONCE = 10;

/** Files in a bucket, with the credentials that the environment gives to Amazon's SDK. */
export function createBucketFiles(place: BucketPlace): Files {
  const { bucket, prefix } = place;
  const where = `the bucket ${bucket}`;
  const objectAt = (path: string) => ({ Bucket: bucket, Key: prefix + path });
  let opened: ReturnType<typeof openClient> | undefined;
  // Loaded where a bucket is used: most have none.
  const client = () => (opened ??= openClient(place));

  const read = async (path: string): Promise<Buffer> => {
    try {
      const { sdk, s3 } = await client();
      const { Body } = await s3.send(new sdk.GetObjectCommand(objectAt(path)));
      return Buffer.from(await Body!.transformToByteArray());
    } catch (error) {
      throw readingError(where, path, error);
    }
  };

  async function* readRange(path: string, { start = 0, end }: { start?: number; end?: number }) {
    try {
      const { sdk, s3 } = await client();
      const isWhole = start === 0 && end === undefined;
      const range = isWhole ? {} : { Range: `bytes=${start}-${end ?? ''}` };
      const { Body } = await s3.send(new sdk.GetObjectCommand({ ...objectAt(path), ...range }));
      yield* Body as Readable;
    } catch (error) {
      throw readingError(where, path, error);
    }
  }

  const remove = async (paths: readonly string[]): Promise<void> => {
    if (paths.length === 0) return;
    try {
      const { sdk, s3 } = await client();
      // One by one: servers differ in which checksum they want of a list.
      const removeOne = (path: string) => s3.send(new sdk.DeleteObjectCommand(objectAt(path)));
      for (let from = 0; from < paths.length; from += REMOVED_AT_ONCE)
        await Promise.all(paths.slice(from, from + REMOVED_AT_ONCE).map(removeOne));
    } catch (error) {
      throw new FilesUnavailable(`Files can not be removed from ${where} (${reasonOf(error)}).`, { cause: error });
    }
  };

  return {
    async write(path, bytes) {
      try {
        const { sdk, s3 } = await client();
        await s3.send(new sdk.PutObjectCommand({ ...objectAt(path), Body: bytes, ContentLength: bytes.length }));
      } catch (error) {
        throw new ArtifactNotSaved(where, reasonOf(error), error);
      }
    },
    read,
    async open(path): Promise<StoredBytes> {
      try {
        const { sdk, s3 } = await client();
        await s3.send(new sdk.HeadObjectCommand(objectAt(path)));
      } catch (error) {
        throw readingError(where, path, error);
      }
      return {
        createReadStream: (range = {}) => Readable.from(readRange(path, range), { objectMode: false }),
        readFile: () => read(path),
        close: () => Promise.resolve(),
      };
    },
    async localPath(path, folder) {
      const bytes = await read(path);
      const copy = join(await folder(), basename(path));
      await writeFile(copy, bytes);
      return copy;
    },
    remove,
    async removeOrphans(rules) {
      let removed = 0;
      const { sdk, s3 } = await client();
      for await (const { Contents = [] } of sdk.paginateListObjectsV2(
        { client: s3 },
        { Bucket: bucket, Prefix: prefix },
      )) {
        const orphans = await orphansAmong(Contents, prefix, rules);
        await remove(orphans);
        removed += orphans.length;
      }
      return removed;
    },
    close: () => void opened?.then(({ s3 }) => s3.destroy()).catch(() => {}),
  };
}

async function openClient({ endpoint, region }: BucketPlace): Promise<{ sdk: typeof Sdk; s3: Sdk.S3Client }> {
  const sdk = await import('@aws-sdk/client-s3').catch((error: unknown) => {
    throw new FilesUnavailable('The package @aws-sdk/client-s3 is not installed: npm install @aws-sdk/client-s3.', {
      cause: error,
    });
  });
  const s3 = new sdk.S3Client({
    region,
    // Servers of one's own have one name for all buckets.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: SILENCE_MS },
    // Others than Amazon know no newer ones.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, s3 };
}

/** Which of a page of a listing no row knows. An object of an open session is never one. */
async function orphansAmong(
  objects: readonly Sdk._Object[],
  prefix: string,
  { lookUp, unknownMs }: OrphanRules,
): Promise<string[]> {
  const found = objects
    .map(({ Key = '', LastModified }) => ({ path: Key.slice(prefix.length), at: LastModified }))
    .map((object) => ({ ...object, sessionId: object.path.split('/', 1)[0]! }))
    .filter(({ path, sessionId }) => sessionId !== UPLOADS_FOLDER && path.includes('/'));
  if (found.length === 0) return [];
  const { isSettled, paths, now } = await lookUp([...new Set(found.map(({ sessionId }) => sessionId))]);
  const isOld = (at: Date | undefined): boolean => at !== undefined && at.getTime() < now.getTime() - unknownMs;
  return found
    .filter(({ path, at, sessionId }) => !paths.has(path) && (isSettled.get(sessionId) ?? isOld(at)))
    .map(({ path }) => path);
}

function readingError(where: string, path: string, error: unknown): Error {
  if (error instanceof FilesUnavailable) return error;
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  // The answer to HEAD has no body that would name it.
  if (name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404))
    return Object.assign(new Error(`${where} has no ${path}`, { cause: error }), { code: 'ENOENT' });
  return new FilesUnavailable(`Files can not be read from ${where} (${reasonOf(error)}).`, { cause: error });
}

/** What the server said, or else why it was not reached. */
function reasonOf(error: unknown): string {
  if (error instanceof FilesUnavailable) return error.message;
  const { name, message } = error as Error;
  const says = message.replace(/^AWS SDK error wrapper for /, '').replace(/^Error: /, '');
  if (name === 'Error' || says === '') return says === '' ? name : says;
  return `${name}: ${says}`;
}
