import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec';
import type { PayloadKey } from './payload-keys';

/** The module that workers and the workflow bundle load. */
export const FAILURE_CONVERTER = require.resolve('./failure-converter');

/** The option of clients and workers that encrypts; none without keys. */
export function encryptionOptions(keys: readonly PayloadKey[] = []): { dataConverter?: DataConverter } {
  const [current, ...older] = keys;
  if (current === undefined) return {};
  const payloadCodecs = [createPayloadCodec([current, ...older])];
  return { dataConverter: { payloadCodecs, failureConverterPath: FAILURE_CONVERTER } };
}
