import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';

/** The folder of all local data, for commands that need no service to be up. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return readSetting(SETTINGS.home, env);
}
