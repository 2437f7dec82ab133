/** Settings of the engine, of its servers and of secret managers: no session is given their values, whatever an operator lists. */
const NEVER =
  /^(?:SUREFOOT_|TEMPORAL_|VAULT_|OP_SERVICE_|BWS_|PG|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$|DATABASE_URL$)/;

export function isEngineVariable(name: string): boolean {
  return NEVER.test(name);
}

/** The part of an environment from which requests may name values. */
export function nameableEnvironment(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.filter((name) => !isEngineVariable(name)).map((name) => [name, env[name]]));
}
