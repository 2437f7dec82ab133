import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface S3Server {
  endpoint: string;
  bucket: string;
  close(): Promise<void>;
}

/** The one key pair that it knows. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** A server that speaks the protocol of S3, with a bucket; this process gets its credentials. */
export async function startS3Server(): Promise<S3Server> {
  Object.assign(process.env, CREDENTIALS);
  const directory = mkdtempSync(join(tmpdir(), 'surefoot-test-s3-'));
  const bucket = 'surefoot-files';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It encodes a slash in a query otherwise than Amazon does.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
