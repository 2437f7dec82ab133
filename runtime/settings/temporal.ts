import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import type { PayloadKey } from '../payloads/payload-keys';
import { SETTINGS } from './definitions';
import { readSetting, SettingsError } from './setting';
import type { StackFile } from './stack-file';

/** A Temporal server, and what a connection to it needs. */
export interface TemporalSettings {
  address: string;
  namespace: string;
  /** TLS, API key and gRPC metadata, as the SDK's connections take them. */
  security: Pick<ClientConnectConfig['connectionOptions'], 'tls' | 'apiKey' | 'metadata'>;
  payloadKeys: readonly PayloadKey[];
}

/** What a caller of connections names; the rest is for servers with TLS or encrypted payloads. */
export type TemporalServer = Pick<TemporalSettings, 'address' | 'namespace'> & Partial<TemporalSettings>;

/** The variables of the SDK's environment configuration that are about one server alone. */
const OF_A_SERVER = /^TEMPORAL_(API_KEY|TLS|PROFILE|CONFIG_FILE|GRPC_META)/;

/**
 * Reads the environment that every Temporal SDK and the `temporal` command read. A configuration file is read only where
 * TEMPORAL_PROFILE or TEMPORAL_CONFIG_FILE names it, so that a profile of another project changes nothing here. Without an
 * address it is the local stack's server; undefined without either.
 */
export function readTemporalSettings(env: NodeJS.ProcessEnv, stack?: StackFile): TemporalSettings | undefined {
  const { connectionOptions, namespace } = loadConfig(env);
  const { address, tls, apiKey, metadata } = connectionOptions;
  const security = {
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const isOfStack = stack !== undefined && (address === undefined || address === stack.temporalAddress);
  const payloadKeys = readPayloadKeys(env, isOfStack ? stack : undefined);
  const names = { namespace: namespace ?? readSetting(SETTINGS.temporalNamespace, env), payloadKeys };
  if (address !== undefined) return { address, ...names, security };
  return stack === undefined ? undefined : { address: stack.temporalAddress, ...names, security: {} };
}

/** Those of the environment; on the server of a local stack, those of its stack. */
function readPayloadKeys(env: NodeJS.ProcessEnv, stack: StackFile | undefined): readonly PayloadKey[] {
  const keys = stack?.payloadKeys;
  const isFromStack = keys !== undefined && !env[SETTINGS.payloadKeys.env];
  return readSetting(SETTINGS.payloadKeys, isFromStack ? { [SETTINGS.payloadKeys.env]: keys } : env);
}

/** The environment of processes that use a server of this machine: without what is said about another one. */
export function localTemporalEnv(env: NodeJS.ProcessEnv, address: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !OF_A_SERVER.test(name));
  return { ...Object.fromEntries(kept), [SETTINGS.temporalAddress.env]: address };
}

function loadConfig(env: NodeJS.ProcessEnv): ClientConnectConfig {
  const given = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const overrideEnvVars = Object.fromEntries(given);
  const hasFile = 'TEMPORAL_PROFILE' in overrideEnvVars || 'TEMPORAL_CONFIG_FILE' in overrideEnvVars;
  try {
    return loadClientConnectConfig({ overrideEnvVars, disableFile: !hasFile });
  } catch (error) {
    throw new SettingsError(`The TEMPORAL_ variables are not usable: ${(error as Error).message}.`);
  }
}
