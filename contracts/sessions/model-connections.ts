import { z } from 'zod';
import { DEFAULT_AI_CONNECTION, DEFAULT_MODEL } from './config';
import type { Issue } from '../errors/issues';
import type { SessionPlan } from './start-request';
import { ENV_NAME } from './secret-place';
import { modelChain } from '../models/model-name';
import { MODEL_PROFILES } from '../models/reading';
import type { ModelLimits } from '../models/model-limits';
import { VENDOR_NAMES, VENDORS, type VendorDefinition, type VendorName } from '../models/vendors';

/** A named way to a vendor (SUREFOOT_CONNECTIONS): its base URL and its key replace those of the environment. */
const ConnectionSchema = z
  .strictObject({
    vendor: z.enum(VENDOR_NAMES),
    /** The vendor's own names of the models, best first, with commas between: the default of its sessions. */
    model: z.string().min(1),
    baseURL: z.url({ protocol: /^https?$/ }).optional(),
    /** The environment variable of the engine workers that holds the key. */
    keyEnv: z.string().regex(ENV_NAME, 'expected the name of an environment variable').optional(),
    requestsPerMinute: z.int().min(0).optional(),
    tokensPerMinute: z.int().min(0).optional(),
    profile: z.enum(MODEL_PROFILES).optional(),
  })
  .superRefine(({ vendor, baseURL, keyEnv }, context) => {
    const named = Object.keys(settingsOf(vendor));
    if (baseURL !== undefined && !named.some((key) => isBaseURL(key)))
      context.addIssue({ code: 'custom', path: ['baseURL'], message: `${vendor} has no base URL` });
    if (keyEnv !== undefined && !named.some((key) => isKey(key)))
      context.addIssue({ code: 'custom', path: ['keyEnv'], message: `${vendor} has no key` });
  });
export type Connection = z.infer<typeof ConnectionSchema>;

const ConnectionNameSchema = z
  .string()
  .regex(/^[\w.-]{1,64}$/, 'a connection has 1 to 64 letters, digits, dots, dashes and underscores')
  .refine((name) => name !== DEFAULT_AI_CONNECTION, `${DEFAULT_AI_CONNECTION} is the connection of the environment`);

export const ConnectionsSchema = z.record(ConnectionNameSchema, ConnectionSchema);
export type Connections = Readonly<Record<string, Connection>>;

/** The models of a connection as `vendor/model`, best first. */
export function modelsOf({ vendor, model }: Connection): string {
  return modelChain(model)
    .map((name) => `${vendor}/${name}`)
    .join(',');
}

/** What keeps a session from a connection that it or a step names: there is none, or it leads to another vendor. */
export function connectionIssues(
  { config: { ai }, steps }: Pick<SessionPlan, 'config' | 'steps'>,
  connections: Connections,
): Issue[] {
  const ofSession = issuesOf(ai, connections, { connection: 'config.aiConnectionId', model: 'config.aiConfig.model' });
  const issues = steps.flatMap(({ options: { aiConfig } }, index) => {
    const path = `steps[${index}].aiConfig`;
    const isOwn = aiConfig.connectionId !== ai.connectionId || aiConfig.model !== ai.model;
    return isOwn ? issuesOf(aiConfig, connections, { connection: `${path}.connectionId`, model: `${path}.model` }) : [];
  });
  return [...ofSession, ...issues].slice(0, 1);
}

function issuesOf(
  { connectionId, model }: SessionPlan['config']['ai'],
  connections: Connections,
  paths: { connection: string; model: string },
): Issue[] {
  if (connectionId === DEFAULT_AI_CONNECTION) return [];
  const connection = connections[connectionId];
  if (connection === undefined) {
    const known = [DEFAULT_AI_CONNECTION, ...Object.keys(connections)].join(', ');
    const message = `there is no model connection “${connectionId}” here; there is: ${known} (SUREFOOT_CONNECTIONS)`;
    return [{ path: paths.connection, message }];
  }
  if (modelChain(model).every((name) => leadsTo(connection, name))) return [];
  const message = `${model} is not of ${connection.vendor}, the vendor of the connection “${connectionId}”; name a model of it, or no connection`;
  return [{ path: paths.model, message }];
}

/** `rules` needs no connection. */
export function leadsTo({ vendor }: Connection, model: string): boolean {
  return model === DEFAULT_MODEL || model === 'rules' || model.startsWith(`${vendor}/`);
}

/** The limits that hold for a connection beside those of all vendors. */
export function limitsOf({ requestsPerMinute, tokensPerMinute }: Connection): Partial<ModelLimits> {
  return {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
  };
}

/**
 * The environment as the vendor's settings are read for a connection: base URL and key are its own or none, so that no
 * key of the environment goes to another server.
 */
export function connectionEnv(
  { vendor, baseURL, keyEnv }: Connection,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const own: Record<string, string | undefined> = { ...env };
  for (const [key, { variables }] of Object.entries(settingsOf(vendor))) {
    if (!isBaseURL(key) && !isKey(key)) continue;
    for (const variable of variables) delete own[variable];
    const given = isKey(key)
      ? keyEnv && env[keyEnv]
      : baseURL && (key === 'endpoint' ? new URL(baseURL).host : baseURL);
    if (given) own[variables[0]] = given;
  }
  return own;
}

/** A key that an agent gives for the models of a vendor, in place of the workers' own. */
export interface CallerKey {
  vendor: VendorName;
  key: string;
}

/** The keys of a vendor that are set. */
export function keysOf(vendor: VendorName, env: Readonly<Record<string, string | undefined>>): string[] {
  const settings = Object.entries(settingsOf(vendor)).filter(([name]) => isKey(name));
  return settings.flatMap(([, { variables }]) => variables.flatMap((variable) => env[variable] ?? []));
}

/** The environment with the caller's key, or access token, as the only one of the vendor. */
export function callerEnv(
  { vendor, key }: CallerKey,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const own: Record<string, string | undefined> = { ...env };
  for (const [name, { variables }] of Object.entries(settingsOf(vendor))) {
    if (!isKey(name)) continue;
    for (const variable of variables) delete own[variable];
    own[variables[0]] = key;
  }
  return own;
}

function settingsOf(vendor: VendorName) {
  const { accounts } = VENDORS[vendor] as VendorDefinition;
  return Object.assign({}, ...accounts.map(({ settings }) => settings)) as VendorDefinition['accounts'][0]['settings'];
}

function isBaseURL(key: string): boolean {
  return key === 'baseURL' || key === 'endpoint';
}

function isKey(key: string): boolean {
  return key === 'apiKey' || key === 'token';
}
