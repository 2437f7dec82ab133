import { readStackFile } from '../../runtime/settings/stack-file';
import { dataFolder } from '../stack/data-folder';

/** Where the API is, and its token. */
export interface ApiPlace {
  api: string;
  token: string | undefined;
}

const OWN_API = 'http://127.0.0.1:3000';

/**
 * Finds the API for one call: the one that was given, else that of the local stack of this folder, else the usual
 * address. It is looked up with each call, because a stack may start or move while a client is connected.
 */
export function findApi(given: string | undefined, token: string | undefined): ApiPlace {
  return { api: given ?? readStackFile(dataFolder())?.api ?? OWN_API, token };
}
