import { createHash } from 'node:crypto';
import { accountOf, type VendorName, type VendorValues } from '../../../../contracts/models/vendors';
import { ProviderError } from './provider-error';

/** Reads a vendor's settings for a call of the model `name`. Throws a ProviderError where a required one is missing. */
export function readVendorValues<Vendor extends VendorName>(
  vendor: Vendor,
  name: string,
  env: NodeJS.ProcessEnv,
): VendorValues<Vendor> {
  const { values, missing } = accountOf(vendor, env);
  if (missing === undefined) return values as VendorValues<Vendor>;
  const { variables, required = 'settings', hint } = missing;
  const help = hint === undefined ? '' : ` (${hint})`;
  throw new ProviderError(required, `${name} can't be called: ${variables.join(' or ')} is not set${help}.`);
}

/**
 * Hashes the account that a vendor counts our calls under, so that the account is known and its key stays secret. Two
 * vendors with one account have one hash.
 */
export function keyHashOf(vendor: VendorName, env: NodeJS.ProcessEnv): string {
  const { account, values } = accountOf(vendor, env);
  const identity = Object.entries(account.settings).flatMap(([key, { isTransient }]) =>
    isTransient ? [] : [values[key] ?? ''],
  );
  return createHash('sha256')
    .update(JSON.stringify([account.name, ...identity]))
    .digest('hex')
    .slice(0, 32);
}
