import type { DataConverter } from '@temporalio/common';
import { createPayloadCodec } from './payload-codec';
import type { PayloadKey } from './payload-keys';

/** The module that workers and the workflow bundle load. */
export const FAILURE_CONVERTER = require.resolve('./failure-converter');

/** The data converter of clients and workers; undefined without keys, which is the SDK's own. */
export function createDataConverter(keys: readonly PayloadKey[] = []): DataConverter | undefined {
  const [current, ...older] = keys;
  if (current === undefined) return undefined;
  return { payloadCodecs: [createPayloadCodec([current, ...older])], failureConverterPath: FAILURE_CONVERTER };
}
