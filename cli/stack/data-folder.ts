import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';

/** Returns the folder of all local data, for commands that need no running service. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return readSetting(SETTINGS.home, env);
}
