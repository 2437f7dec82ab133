import type { BrowserToolArgs } from '../../../contracts/tools/browser-tools';
import { isHttpUrl } from '../../../contracts/browsers/origins';
import { Refusal, type BrowserPlan, type PlanContext } from '../browser-plan';

/** Tools that lead to another page. */

export function navigate({ url }: BrowserToolArgs<'navigate'>, scene: PlanContext): BrowserPlan {
  const where = url.trim();
  if (where === 'back' || where === 'forward') {
    const action = where === 'back' ? 'GO_BACK' : 'GO_FORWARD';
    return { action, parameters: {}, classification: 'write', summary: `Go ${where} in the history of the tab` };
  }
  const address = toAddress(where);
  const isOffSite = leavesSite(scene, address);
  return {
    action: 'OPEN_PAGE',
    parameters: { url: address },
    classification: isOffSite ? 'external' : 'write',
    summary: `Open ${address}`,
    navigatesTo: address,
    approvalScope: hostOf(address),
  };
}

/** What people write for an address: without its scheme it is meant as https, on this machine as http. */
function toAddress(where: string): string {
  // One that begins with a variable is whole once that is filled in.
  const isBare = !/^(?:[a-z][a-z\d+.-]*:(?!\d)|\$\{)/i.test(where);
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(where);
  const address = isBare ? `${isLocal ? 'http' : 'https'}://${where}` : where;
  if (address !== 'about:blank' && !address.includes('${') && !isHttpUrl(address))
    throw new Refusal(
      `“${where}” is no address that can be opened: give an absolute http or https address, “back” or “forward”.`,
    );
  return address;
}

/** True when it leads away from the site that the tab is on, to one that no person has named. */
export function leavesSite({ snapshot: look, namedHosts: foreseen }: PlanContext, address: string): boolean {
  const to = hostOf(address);
  const from = hostOf(look.url);
  if (to === '' || from === '') return false;
  return ![from, ...foreseen].some((host) => isSameSite(host, to));
}

/** On this machine every port is a service of its own, and one of them may be the API of Surefoot. */
export function hostOf(url: string): string {
  if (!isHttpUrl(url)) return '';
  const { host, hostname } = new URL(url);
  const isLocal = /^(?:127\.|\[::1\]$|(?:.*\.)?localhost$)/.test(hostname);
  return isLocal ? host : hostname.replace(/^www\./, '');
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
