import { modelChain, parseModelName } from '../../../contracts/models/model-name';
import { PROVIDERS } from '.';

/**
 * Loads the packages that the models of a setting need. Loading blocks the process for up to a second: at the first call
 * it would hold up that activity's heartbeat, and a call whose heartbeat is late is made, and paid, twice.
 */
export async function loadProviders(setting: string): Promise<void> {
  for (const name of modelChain(setting)) {
    const parsed = parseModelName(name);
    if (parsed !== undefined && parsed.vendor !== 'rules') await PROVIDERS[parsed.vendor].load();
  }
}
