import { isHttpUrl } from '../../../contracts/browsers/origins';
import type { PlanContext } from '../planning/browser-plan';

/** True when the address leads away from the site of the tab, to one that no person has named. */
export function leavesSite({ snapshot, namedHosts }: PlanContext, address: string): boolean {
  const to = hostOf(address);
  const from = hostOf(snapshot.url);
  if (to === '' || from === '') return false;
  return ![from, ...namedHosts].some((host) => isSameSite(host, to));
}

/** The host without `www.`. On this machine every port is a service of its own, which may be the API of Surefoot. */
export function hostOf(url: string): string {
  if (!isHttpUrl(url)) return '';
  const { host, hostname } = new URL(url);
  const isLocal = /^(?:127\.|\[::1\]$|(?:.*\.)?localhost$)/.test(hostname);
  return isLocal ? host : hostname.replace(/^www\./, '');
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}
