import { SETTINGS } from '../../runtime/settings/definitions';
import { readSetting } from '../../runtime/settings/setting';
import { readStackFile } from '../../runtime/settings/stack-file';
import { dataFolder } from '../stack/data-folder';

/** Where the API is, and its token. */
export interface ApiPlace {
  api: string;
  token: string | undefined;
}

/**
 * Finds the API for one call: the one that was given, else that of the local stack of this folder, else where an API of
 * this environment listens. It is looked up with each call, because a stack may start or move while a client is connected.
 */
export function findApi(given: string | undefined, token: string | undefined): ApiPlace {
  const usual = () => `http://127.0.0.1:${readSetting(SETTINGS.listen.port, process.env)}`;
  return { api: given ?? readStackFile(dataFolder())?.api ?? usual(), token };
}
