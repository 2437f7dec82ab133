import { modelChain, parseModelName } from '../../../../contracts/models/model-name';
import type { VendorName } from '../../../../contracts/models/vendors';
import { EngineError } from '../../../activity/failures';
import { PROVIDERS } from '.';

/**
 * Loads the packages that the models of a setting need. Loading blocks the process for up to a second: at the first call
 * it would hold up that activity's heartbeat, and a call whose heartbeat is late is made, and paid, twice.
 */
export async function loadProviders(setting: string): Promise<void> {
  for (const name of modelChain(setting)) {
    const parsed = parseModelName(name);
    if (parsed !== undefined && parsed.vendor !== 'rules') await loadVendor(parsed.vendor);
  }
}

/** Loads the packages of a vendor, which are optional dependencies: throws AI001 with the name of one that is missing. */
export async function loadVendor(vendor: VendorName): Promise<void> {
  try {
    await PROVIDERS[vendor].load();
  } catch (error) {
    const name = error instanceof Error ? MISSING.exec(error.message)?.[1] : undefined;
    if (name === undefined) throw error;
    const message = `Models of “${vendor}” are called through the package ${name}, which is not installed here: run \`npm install ${name}\` where the engine workers run.`;
    throw new EngineError('AI001', message, {
      suggestedAction: `Install ${name}, or name a model of another vendor.`,
      isFinal: true,
    });
  }
}

/** What Node says of a package, not of a file. */
const MISSING = /^Cannot find (?:module|package) '((?:@[\w.-]+\/)?[\w-][\w.-]*)'/;
