import { z } from 'zod';

/** One environment variable: what it is called, what it may be, and what it is for. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  env: string;
  /** Parses the variable's text; undefined where it is not set or empty. */
  schema: S;
  /** One sentence for docs/reference/settings.md, in Markdown. */
  doc: string;
  /** What holds where it is not set, if the schema's own default does not say it. */
  otherwise?: string;
}

/** Settings by the names that the code uses; groups may be nested. */
export interface SettingGroup {
  readonly [name: string]: Setting | SettingGroup;
}

/** What reading a group results in. */
export type SettingValues<G extends SettingGroup> = {
  -readonly [K in keyof G]: G[K] extends Setting<infer S>
    ? z.output<S>
    : G[K] extends SettingGroup
      ? SettingValues<G[K]>
      : never;
};

export class SettingsError extends Error {}

export function defineSetting<S extends z.ZodType>(setting: Setting<S>): Setting<S> {
  return setting;
}

export function isSetting(entry: Setting | SettingGroup): entry is Setting {
  return entry['schema'] instanceof z.ZodType;
}

/** Reads one setting. Throws SettingsError with the name of the variable and what was expected. */
export function readSetting<S extends z.ZodType>(
  { env: name, schema }: Setting<S>,
  env: NodeJS.ProcessEnv,
): z.output<S> {
  const parsed = schema.safeParse(env[name] === '' ? undefined : env[name]);
  if (parsed.success) return parsed.data;
  throw new SettingsError(`The environment variable ${name} is not usable: ${parsed.error.issues[0]?.message}.`);
}

/** Reads every setting of a group. */
export function readGroup<G extends SettingGroup>(group: G, env: NodeJS.ProcessEnv): SettingValues<G> {
  const values = Object.entries(group).map(([name, entry]) => [
    name,
    isSetting(entry) ? readSetting(entry, env) : readGroup(entry, env),
  ]);
  return Object.fromEntries(values) as SettingValues<G>;
}
