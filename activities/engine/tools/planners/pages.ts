import { isHttpUrl } from '../../../../contracts/browsers/origins';
import type { Planners } from './planner';
import { hostOf, leavesSite } from './sites';
import { Refusal } from '../planning/arguments';

export const pagePlanners = {
  navigate({ url }, context) {
    const destination = url.trim();
    if (destination === 'back' || destination === 'forward')
      return {
        action: destination === 'back' ? 'GO_BACK' : 'GO_FORWARD',
        parameters: {},
        classification: 'write',
        summary: `Go ${destination} in the history of the tab`,
      };
    const address = toAddress(destination);
    return {
      action: 'OPEN_PAGE',
      parameters: { url: address },
      classification: leavesSite(context, address) ? 'external' : 'write',
      summary: `Open ${address}`,
      navigatesTo: address,
      approvalScope: hostOf(address),
    };
  },
} satisfies Partial<Planners>;

/** Completes what people write for an address: without a scheme it is https, on this machine http. */
function toAddress(written: string): string {
  // An address that begins with a variable is whole once the variable is filled in.
  const isBare = !/^(?:[a-z][a-z\d+.-]*:(?!\d)|\$\{)/i.test(written);
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(written);
  const address = isBare ? `${isLocal ? 'http' : 'https'}://${written}` : written;
  if (address !== 'about:blank' && !address.includes('${') && !isHttpUrl(address))
    throw new Refusal(
      `“${written}” is no address that can be opened: give an absolute http or https address, “back” or “forward”.`,
    );
  return address;
}
