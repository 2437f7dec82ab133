import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { BudgetInputSchema, toBudget, type Budget } from '../contracts/models/budget';
import { DEFAULT_MODEL_LIMITS, type ModelLimits } from '../contracts/models/model-limits';
import { modelProblem } from '../contracts/models/model-name';

/** Addresses of a running local stack, written by its supervisor so that the CLI and people find it. */
export const StackFileSchema = z.object({
  supervisorPid: z.number(),
  databaseUrl: z.string(),
  temporalAddress: z.string(),
  temporalUi: z.string().optional(),
  api: z.string().optional(),
  shop: z.string().optional(),
  chromium: z.string().optional(),
});
export type StackFile = z.infer<typeof StackFileSchema>;

/** No host keeps more; the slots of its workers are as many, so that no browser waits for one. */
export const MAX_BROWSERS = 200;
const DAY_MS = 86_400_000;
function amount(byDefault: number) {
  return z.coerce.number().positive().default(byDefault);
}

const SettingsSchema = z.object({
  DATABASE_URL: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  SUREFOOT_HOME: z.string().default('.surefoot'),
  SUREFOOT_HOST_ID: z
    .string()
    .regex(/^[\w.-]+$/)
    .default('local'),
  SUREFOOT_PAUSE_RELEASE_MS: z.coerce.number().int().min(0).default(600_000),
  SUREFOOT_DEPLOYMENT: z
    .string()
    .regex(/^[\w-]+$/)
    .default('surefoot'),
  SUREFOOT_BUILD_ID: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  SUREFOOT_DRAIN_MS: z.coerce.number().int().min(0).default(20_000),
  SUREFOOT_MODEL: z
    .string()
    .superRefine((value, context) => {
      const problem = modelProblem(value);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .default('rules'),
  SUREFOOT_SYSTEM_PROMPT: z.string().optional(),
  SUREFOOT_TOOLS: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((path) => path !== '')),
  SUREFOOT_MCP: z.string().optional(),
  SUREFOOT_UPLOADS: z.string().optional(),
  SUREFOOT_MODEL_CASSETTE: z.enum(['record', 'replay']).optional(),
  SUREFOOT_MODEL_REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).default(DEFAULT_MODEL_LIMITS.requestsPerMinute),
  SUREFOOT_MODEL_TOKENS_PER_MINUTE: z.coerce.number().int().min(0).default(DEFAULT_MODEL_LIMITS.tokensPerMinute),
  SUREFOOT_MODEL_BREAKER_FAILURES: z.coerce.number().int().min(0).default(DEFAULT_MODEL_LIMITS.breaker.failures),
  SUREFOOT_MODEL_BREAKER_SECONDS: z.coerce
    .number()
    .positive()
    .default(DEFAULT_MODEL_LIMITS.breaker.openMs / 1000),
  SUREFOOT_BUDGET: z
    .string()
    .transform((text, context) => {
      const parsed = BudgetInputSchema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'expected JSON' });
      return z.NEVER;
    })
    .optional(),
  SUREFOOT_API_TOKEN: z
    .string()
    .regex(/^\S{16,}$/, 'expected at least 16 characters without a space')
    .optional(),
  SUREFOOT_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  SUREFOOT_RELAY_HEARTBEAT_MS: z.coerce.number().int().min(50).default(20_000),
  SUREFOOT_RELAY_PAIRING_MS: z.coerce.number().int().min(1).default(300_000),
  SUREFOOT_RELAY_SESSION_DAYS: amount(30),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  SUREFOOT_API_NAMES: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((name) => name !== '')),
  CHROMIUM_PATH: z.string().optional(),
  SUREFOOT_SECRET_KEY: z.string().min(32, 'expected at least 32 random characters').optional(),
  SUREFOOT_MAX_BROWSERS: z.coerce.number().int().min(1).max(MAX_BROWSERS).optional(),
  SUREFOOT_MAX_SESSIONS: z.coerce.number().int().min(1).optional(),
  SUREFOOT_KEEP_ARTIFACT_HOURS: amount(24),
  SUREFOOT_KEEP_ARTIFACTS_PER_SESSION: amount(100),
  SUREFOOT_KEEP_SESSION_DAYS: amount(30),
  SUREFOOT_KEEP_TOMBSTONE_DAYS: amount(365),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Everything a process of ours reads from its environment, in one place. */
export interface Settings {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  /** Folder of all local data: databases, artifacts, browser profiles, logs, pid files. */
  home: string;
  hostId: string;
  model: string;
  /** A pause that lasts longer gives the session's browser back; 0 keeps it for as long as the pause lasts. */
  pauseReleaseMs: number;
  /** What Temporal knows the engine workers as; without a build id they have no version and share all sessions. */
  deployment: { deploymentName: string; buildId: string } | undefined;
  /** How long a worker that is asked to end lets what is under way go on. */
  drainMs: number;
  /** `names`: further host names by which the API may be called. */
  listen: { host: string; port: number; names: string[] };
  /** File of a system prompt for language models, in place of the default one. */
  systemPromptFile: string | undefined;
  /** Modules of the operator's own tools, by their paths. */
  toolModules: readonly string[];
  /** MCP servers: a JSON text, or the path of a file with one. */
  mcp: string | undefined;
  /** Folder that files may be uploaded from by sessions; without it none may. */
  uploads: string | undefined;
  modelLimits: ModelLimits;
  /** Of sessions that name none. */
  budget: Budget | undefined;
  /** What callers of the API have to bring; without it everybody may call. */
  apiToken: string | undefined;
  /** How many requests a minute the API takes from one address; without it as many as come. */
  requestsPerMinute: number | undefined;
  /** Of browsers that are somebody else's: how often each is asked for a sign of life, and how long its tokens hold. */
  relay: { heartbeatMs: number; pairingMs: number; sessionMs: number };
  chromiumPath: string | undefined;
  /** Seals secrets in the database; without it a key is made and kept in the home folder. */
  secretKey: string | undefined;
  /** How many Chromes this host may keep; by its memory and cores unless set. */
  maxBrowsers: number | undefined;
  /** How many sessions may be open at once; by the browsers of all hosts unless set. */
  maxSessions: number | undefined;
  stack: StackFile | undefined;
  /** How long what is left of an ended session is kept. */
  keep: { artifactHours: number; artifactsPerSession: number; sessionDays: number; tombstoneDays: number };
}

export class SettingsError extends Error {}

export function stackFilePath(home: string): string {
  return join(home, 'run', 'stack.json');
}

export function readStackFile(home: string): StackFile | undefined {
  const file = stackFilePath(home);
  if (!existsSync(file)) return undefined;
  const parsed = StackFileSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : undefined;
}

/** Reads the settings; an address that is not set is taken from the running local stack, if there is one. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = SettingsSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new SettingsError(`The environment variable ${String(issue?.path[0])} is not usable: ${issue?.message}.`);
  }
  const values = parsed.data;
  const home = resolve(values.SUREFOOT_HOME);
  const stack = readStackFile(home);
  return {
    databaseUrl: required('DATABASE_URL', values.DATABASE_URL ?? stack?.databaseUrl),
    temporalAddress: required('TEMPORAL_ADDRESS', values.TEMPORAL_ADDRESS ?? stack?.temporalAddress),
    temporalNamespace: values.TEMPORAL_NAMESPACE,
    home,
    hostId: values.SUREFOOT_HOST_ID,
    model: values.SUREFOOT_MODEL,
    pauseReleaseMs: values.SUREFOOT_PAUSE_RELEASE_MS,
    deployment:
      values.SUREFOOT_BUILD_ID === undefined
        ? undefined
        : { deploymentName: values.SUREFOOT_DEPLOYMENT, buildId: values.SUREFOOT_BUILD_ID },
    drainMs: values.SUREFOOT_DRAIN_MS,
    listen: { host: values.HOST, port: values.PORT, names: values.SUREFOOT_API_NAMES },
    systemPromptFile: values.SUREFOOT_SYSTEM_PROMPT,
    toolModules: values.SUREFOOT_TOOLS,
    mcp: values.SUREFOOT_MCP,
    uploads: values.SUREFOOT_UPLOADS === undefined ? undefined : resolve(values.SUREFOOT_UPLOADS),
    modelLimits: {
      requestsPerMinute: values.SUREFOOT_MODEL_REQUESTS_PER_MINUTE,
      tokensPerMinute: values.SUREFOOT_MODEL_TOKENS_PER_MINUTE,
      breaker: {
        failures: values.SUREFOOT_MODEL_BREAKER_FAILURES,
        windowMs: DEFAULT_MODEL_LIMITS.breaker.windowMs,
        openMs: values.SUREFOOT_MODEL_BREAKER_SECONDS * 1000,
      },
    },
    budget: values.SUREFOOT_BUDGET === undefined ? undefined : toBudget(values.SUREFOOT_BUDGET),
    apiToken: values.SUREFOOT_API_TOKEN,
    requestsPerMinute: values.SUREFOOT_REQUESTS_PER_MINUTE,
    relay: {
      heartbeatMs: values.SUREFOOT_RELAY_HEARTBEAT_MS,
      pairingMs: values.SUREFOOT_RELAY_PAIRING_MS,
      sessionMs: values.SUREFOOT_RELAY_SESSION_DAYS * DAY_MS,
    },
    chromiumPath: values.CHROMIUM_PATH,
    secretKey: values.SUREFOOT_SECRET_KEY,
    maxBrowsers: values.SUREFOOT_MAX_BROWSERS,
    maxSessions: values.SUREFOOT_MAX_SESSIONS,
    stack,
    keep: {
      artifactHours: values.SUREFOOT_KEEP_ARTIFACT_HOURS,
      artifactsPerSession: values.SUREFOOT_KEEP_ARTIFACTS_PER_SESSION,
      sessionDays: values.SUREFOOT_KEEP_SESSION_DAYS,
      tombstoneDays: values.SUREFOOT_KEEP_TOMBSTONE_DAYS,
    },
  };
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new SettingsError(
    `${name} is not set and no local stack is running here. Start one with \`npx surefoot dev\`, or set ${name}.`,
  );
}
