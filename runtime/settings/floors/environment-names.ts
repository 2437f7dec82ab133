/** Settings of the engine and of its servers: no session is given their values, whatever an operator lists. */
const NEVER = /^(?:SUREFOOT_|TEMPORAL_|PG|DATABASE_URL$)/;

export function isEngineVariable(name: string): boolean {
  return NEVER.test(name);
}

/** The part of an environment from which requests may name values. */
export function nameableEnvironment(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => !isEngineVariable(name)).map((name) => [name, env[name]]));
}
