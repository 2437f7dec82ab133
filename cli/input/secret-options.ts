import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { InvalidArgumentError } from 'commander';
import type { SecretInput } from '../../contracts/sessions/secrets';
import { CliError } from '../context/exit';
import { oneLineOf } from '../context/failure';

/**
 * `--secret alias=ENV@origin,origin`: the environment variable with the value, and the origins where it may be typed.
 */
export interface SecretOption {
  alias: string;
  env: string;
  origins: string[];
  /** The variable has the seed of one-time codes. */
  isSeed?: true;
}

/** `--totp`: the same, of a seed. */
export function collectSeed(given: string, before: SecretOption[] = []): SecretOption[] {
  return [...before, ...collectSecret(given).map((option) => ({ ...option, isSeed: true as const }))];
}

export function collectSecret(given: string, before: SecretOption[] = []): SecretOption[] {
  const [, alias, env, origins] = /^([^=@]+)=([^=@]+)@(.+)$/.exec(given) ?? [];
  if (alias === undefined || env === undefined || origins === undefined) {
    // The message does not repeat the input, which may contain the secret itself.
    throw new InvalidArgumentError('Expected alias=ENV@origin, such as password=SHOP_PASSWORD@https://shop.example.');
  }
  return [...before, { alias, env, origins: origins.split(',') }];
}

/** Reads the values from the environment or a file in the format of .env, never from arguments, which `ps` shows. */
export function readSecrets(
  options: readonly SecretOption[],
  envFile: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): Record<string, SecretInput> {
  const values = { ...env, ...(envFile === undefined ? {} : readEnvFile(envFile)) };
  const entries = options.map((option): [string, SecretInput] => {
    const value = values[option.env];
    if (value === undefined || value === '') {
      throw new CliError(
        `The secret ${option.alias} is read from ${option.env}, which is not set. Set it, or name a file that has it with --env-file.`,
      );
    }
    const { alias, origins, isSeed } = option;
    return [alias, { ...(isSeed === true ? { totp: { value } } : { value }), origins }];
  });
  return Object.fromEntries(entries);
}

/** The same secrets by the names of variables, which the workers read. */
export function namedSecrets(options: readonly SecretOption[]): Record<string, SecretInput> {
  return Object.fromEntries(
    options.map(({ alias, env, origins, isSeed }) => [
      alias,
      { ...(isSeed === true ? { totp: { env } } : { env }), origins },
    ]),
  );
}

function readEnvFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CliError(`The file ${file} can't be read: ${oneLineOf(error)}.`);
  }
}
