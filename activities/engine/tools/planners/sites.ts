import { isHttpUrl } from '../../../../contracts/browsers/origins';
import type { PlanContext } from '../planning/browser-plan';

/** True when the address leads away from the site of the tab, to one that no person has named. */
export function leavesSite({ snapshot, namedHosts }: PlanContext, address: string): boolean {
  const to = hostOf(address);
  if (to === '') return false;
  const from = hostOf(snapshot.url);
  const others = snapshot.tabs.map(({ url }) => hostOf(url)).filter((host) => host !== '');
  // The first page of a session leads anywhere; a page without an address of its own that another has opened does not.
  if (from === '' && snapshot.url === 'about:blank' && others.length === 0) return false;
  const own = from === '' ? others : [from];
  return ![...own, ...namedHosts].some((host) => isSameSite(host, to));
}

/**
 * The host without `www.`; of a `blob:` address that of the page that made it; empty where there is none. On this machine
 * every port is a service of its own, which may be the API of Surefoot.
 */
export function hostOf(url: string): string {
  const address = url.startsWith('blob:') ? url.slice('blob:'.length) : url;
  if (!isHttpUrl(address)) return '';
  const { host, hostname } = new URL(address);
  const isLocal = /^(?:127\.|\[::1\]$|(?:.*\.)?localhost$)/.test(hostname);
  return isLocal ? host : hostname.replace(/^www\./, '');
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
