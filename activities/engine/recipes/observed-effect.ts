import { requestsIn, type CommandEvidence } from '../../../contracts/commands/evidence';
import { toPagePattern } from '../../../contracts/recipes/page-pattern';
import type { Values } from './spelling';

/** The requests of these commands to the site that they ran on, each once: method and pattern of the address. */
export function requestPatterns(evidence: readonly (CommandEvidence | undefined)[], values: Values): string[] {
  const patterns = evidence.flatMap((each) => {
    const sites = each !== undefined && 'urlBefore' in each ? [each.urlBefore, each.urlAfter].map(originOf) : [];
    return requestsIn(each)
      .filter(({ method, url }) => method !== 'GET' && sites.includes(originOf(url)))
      .map(({ method, url }) => `${method} ${toPagePattern(url, values)}`);
  });
  return [...new Set(patterns)];
}

/** Whether the site refused a request of these commands, or did not answer it. */
export function hasRefusedRequest(evidence: readonly (CommandEvidence | undefined)[]): boolean {
  return evidence.flatMap(requestsIn).some(({ status = 0, failure }) => failure !== undefined || status >= 400);
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
