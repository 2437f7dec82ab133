import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { modelProblem } from '../contracts/model-name';

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

const SettingsSchema = z.object({
  DATABASE_URL: z.string().optional(),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  SUREFOOT_HOME: z.string().default('.surefoot'),
  SUREFOOT_HOST_ID: z
    .string()
    .regex(/^[\w.-]+$/)
    .default('local'),
  SUREFOOT_MODEL: z
    .string()
    .superRefine((value, context) => {
      const problem = modelProblem(value);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    })
    .default('rules'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  CHROMIUM_PATH: z.string().optional(),
});

/** Everything a process of ours reads from its environment, in one place. */
export interface Settings {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  /** Folder of all local data: databases, artifacts, browser profiles, logs, pid files. */
  home: string;
  hostId: string;
  model: string;
  listen: { host: string; port: number };
  chromiumPath: string | undefined;
  stack: StackFile | undefined;
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
    listen: { host: values.HOST, port: values.PORT },
    chromiumPath: values.CHROMIUM_PATH,
    stack,
  };
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new SettingsError(
    `${name} is not set and no local stack is running here. Start one with \`npx surefoot dev\`, or set ${name}.`,
  );
}
