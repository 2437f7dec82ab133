import type { DataConverter } from '@temporalio/common';
import { encryptionOptions } from '../../runtime/payloads/data-converter';
import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { readStackFile } from '../../runtime/settings/stack-file';
import { readTemporalSettings } from '../../runtime/settings/temporal';

/**
 * The data converter of clients and workers of yours that read what sessions wrote to Temporal, such as the outcome of a
 * child workflow. It encrypts and decrypts with SUREFOOT_PAYLOAD_KEYS, or with the keys of the local stack of SUREFOOT_HOME
 * where TEMPORAL_ADDRESS names no other server; without keys it is the SDK's own. Throws SettingsError.
 */
export function readDataConverter(env: NodeJS.ProcessEnv = process.env): DataConverter {
  const temporal = readTemporalSettings(env, readStackFile(readSetting(SETTINGS.home, env)));
  return encryptionOptions(temporal?.payloadKeys).dataConverter ?? {};
}
