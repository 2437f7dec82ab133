import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { ApiContext } from './context';

const LIFE_MS = 30 * 86_400_000;

/** Compares in constant time: digests have equal lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(expected));
}

/**
 * Whether the request is of a page of this API that has signed in with this key. The cookie has no key in it, only its
 * signature under a time. Pages of other ports share the cookies of a host, so a browser has to say whose page asks.
 */
export function hasPageCookie(c: ApiContext, key: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const [until = '', signature = ''] = getCookie(c, nameFor(key))?.split('.') ?? [];
  return /^\d{1,15}$/.test(until) && Number(until) > Date.now() && isSame(signature, sign(until, key));
}

export function setPageCookie(c: ApiContext, key: string): void {
  const until = String(Date.now() + LIFE_MS);
  setCookie(c, nameFor(key), `${until}.${sign(until, key)}`, { ...optionsOf(c), maxAge: LIFE_MS / 1000 });
}

export function removePageCookie(c: ApiContext, key: string): void {
  deleteCookie(c, nameFor(key), optionsOf(c));
}

function optionsOf(c: ApiContext): CookieOptions {
  const isSecure = new URL(c.req.url).protocol === 'https:' || c.req.header('x-forwarded-proto') === 'https';
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure };
}

/** Stacks on other ports of a host have cookies of their own. */
function nameFor(key: string): string {
  return `surefoot-${sign('name', key).slice(0, 12)}`;
}

function sign(text: string, key: string): string {
  return createHmac('sha256', key).update(`surefoot page ${text}`).digest('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
