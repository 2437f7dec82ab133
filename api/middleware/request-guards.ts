import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ApiEnv } from '../context';
import { HttpError, requestError } from '../error-response';

export const MAX_BODY_BYTES = 1024 * 1024;

export const limitBody: MiddlewareHandler<ApiEnv> = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    const message = `The body is larger than the limit of ${MAX_BODY_BYTES} bytes (1 MB). Send less in one request.`;
    throw new HttpError(requestError(413, message, { details: { limitBytes: MAX_BODY_BYTES } }));
  },
});

/** Requires a JSON content type: a page of another site can send a plain-text POST without a preflight, but no JSON. */
export const requireJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type');
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')) {
    const message = `Expected a JSON body with the header Content-Type: application/json, got ${type ?? 'none'}.`;
    throw new HttpError(requestError(415, message));
  }
  await next();
};

/**
 * Checks host and origin of a request. Only the configured host names are served, as under another name (DNS rebinding) a
 * page of another site could read the answers. Pages may change nothing, except at paths that need a token of their own,
 * and pages of this API where callers need a token: browsers of sessions run on the same machine, so a page could
 * otherwise decide its own approvals from the documentation page.
 */
export function checkOrigin(
  names: readonly string[] | undefined,
  hasToken: boolean,
  openPaths: readonly string[] = [],
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { host } = new URL(c.req.url);
    const name = host.replace(/:\d+$/, '');
    if (names !== undefined && !names.includes(name)) {
      const message = `This API is served as ${names.join(', ')}, not as ${name}. Use one of these names, or add yours to SUREFOOT_API_NAMES.`;
      throw new HttpError(requestError(403, message));
    }
    const origin = c.req.header('origin');
    const isOpen = c.req.method === 'GET' || c.req.method === 'HEAD' || openPaths.includes(c.req.path);
    const isOwn = hasToken && origin !== undefined && URL.parse(origin)?.host === host;
    if (!isOpen && origin !== undefined && !isOwn) {
      const who = hasToken
        ? `pages of ${host} may, with the token`
        : `programs may, and with a token (SUREFOOT_API_TOKEN) pages of ${host}`;
      throw new HttpError(requestError(403, `A page of ${origin} may change nothing here; ${who}.`));
    }
    await next();
  };
}
