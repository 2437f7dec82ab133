import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../../contracts/models/model-limits';
import { SETTINGS } from './definitions';
import { DEMO_SECRETS } from './floor-definitions';
import { readGroup, SettingsError, type Setting, type SettingValues } from './setting';
import { readStackFile, type StackFile } from './stack-file';
import { readTemporalSettings, type TemporalSettings } from './temporal';

type Values = SettingValues<typeof SETTINGS>;

/** What every process of Surefoot reads of its environment. */
export type Settings = Omit<
  Values,
  'databaseUrl' | 'temporalAddress' | 'temporalNamespace' | 'payloadKeys' | 'deployment' | 'modelLimits'
> & {
  databaseUrl: string;
  temporal: TemporalSettings;
  /** What Temporal knows the engine workers as; undefined without a build id. */
  deployment: { deploymentName: string; buildId: string } | undefined;
  modelLimits: ModelLimits;
  /** The local stack of this home folder, where one runs. */
  stack: StackFile | undefined;
};

/** Reads the settings; an address that is not set is the one of the running local stack. Throws SettingsError. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const values = readGroup(SETTINGS, env);
  const stack = readStackFile(values.home);
  const isUnset = !env[SETTINGS.floors.envSecrets.env] && stack !== undefined;
  const { deploymentName, buildId } = values.deployment;
  const temporal = required(SETTINGS.temporalAddress, readTemporalSettings(env, stack));
  return {
    ...values,
    floors: { ...values.floors, envSecrets: isUnset ? DEMO_SECRETS : values.floors.envSecrets },
    databaseUrl: required(SETTINGS.databaseUrl, values.databaseUrl ?? stack?.databaseUrl),
    temporal,
    performance: { ...values.performance, cacheTTLMs: stickyTimeoutMs(values.performance.cacheTTLMs, temporal, env) },
    deployment: buildId === undefined ? undefined : { deploymentName, buildId },
    modelLimits: { ...values.modelLimits, breaker: { ...DEFAULT_MODEL_LIMITS.breaker, ...values.modelLimits.breaker } },
    stack,
  };
}

/** A worker's poll of a Temporal far away may take longer than that of one nearby waits for its worker. */
const FAR_STICKY_TIMEOUT_MS = 10_000;

/** As it is set; else its default, or 10 s with a Temporal that has TLS or an API key, such as Temporal Cloud. */
function stickyTimeoutMs(value: number, { security }: TemporalSettings, env: NodeJS.ProcessEnv): number {
  const isSet = Boolean(env[SETTINGS.performance.cacheTTLMs.env]);
  return isSet || Object.keys(security).length === 0 ? value : FAR_STICKY_TIMEOUT_MS;
}

function required<T>({ env: name }: Setting, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new SettingsError(
    `${name} is not set and no local stack is running here. Start one with \`npx surefoot dev\`, or set ${name}.`,
  );
}
