import { z } from 'zod';
import { name } from './schemas';
import { defineSetting } from './setting';

/** Where artifacts and uploads are kept; every process reads them. */
export const FILES = {
  files: {
    bucket: defineSetting({
      env: 'SUREFOOT_S3_BUCKET',
      schema: name(/^[a-z0-9][a-z0-9._-]{1,62}$/i).optional(),
      doc: 'A bucket of S3, or of a server like it, for [files](../production.md#on-several-machines), with the credentials that [Amazon’s SDK](https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/setting-credentials-node.html) finds, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      otherwise: '`artifacts` in SUREFOOT_HOME',
    }),
    endpoint: defineSetting({
      env: 'SUREFOOT_S3_ENDPOINT',
      schema: z
        .url({ protocol: /^https?$/, error: 'expected an http or https address, such as https://minio.example:9000' })
        .optional(),
      doc: 'The server of the bucket, such as `https://minio.example:9000`.',
      otherwise: 'Amazon S3',
    }),
    region: defineSetting({
      env: 'SUREFOOT_S3_REGION',
      schema: name(/^[a-z0-9-]+$/i).default('us-east-1'),
      doc: 'Its region.',
    }),
    prefix: defineSetting({
      env: 'SUREFOOT_S3_PREFIX',
      schema: z
        .string()
        .default('')
        .transform((prefix) => prefix.replace(/^\/+|\/+$/g, ''))
        .transform((prefix) => (prefix === '' ? '' : `${prefix}/`)),
      doc: 'A folder in the bucket, such as `surefoot`; two engines need two.',
    }),
  },
};
