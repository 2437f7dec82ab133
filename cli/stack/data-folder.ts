import { resolve } from 'node:path';

/** The folder of all local data, for commands that need no service to be up. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['SUREFOOT_HOME'] || '.surefoot');
}
