import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { MAX_FILE_BYTES } from '../../contracts/files/file';
import { MAX_REQUEST_BYTES } from '../../contracts/sessions/size-limits';
import { isSigningIn, requirementsOf } from './access';
import type { ApiEnv, ApiParts } from './context';
import { HttpError, requestError } from './error-response';
import { hasPageCookie } from './page-cookie';
import { isTooDeep, TOO_DEEP } from '../../contracts/json-depth';
import { hostProblem } from '../../runtime/http/host-header';

const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Reads a body that is refused to its end, where its length is known and no reader has it. The server closes a connection
 * with an unread body half a second after its answer, when the next request may be on it.
 */
async function discardBody({ req }: Context): Promise<void> {
  const { body } = req.raw;
  const isShort = Number(req.header('content-length')) <= MAX_DISCARDED_BYTES;
  if (body === null || body.locked || !isShort) return;
  // A client that goes away meanwhile gets no answer.
  await body.pipeTo(new WritableStream()).catch(() => {});
}

export const limitBody: MiddlewareHandler<ApiEnv> = bodyLimit({
  maxSize: MAX_REQUEST_BYTES,
  onError: async (c) => {
    await discardBody(c);
    const message = `The body is larger than the limit of ${MAX_REQUEST_BYTES} bytes (1 MB). Send less in one request.`;
    throw new HttpError(requestError(413, message, { details: { limitBytes: MAX_REQUEST_BYTES } }));
  },
});

/** Refuses a body that is nested so deep that whatever walks it would end the stack. It comes behind a limit of its size. */
export const limitDepth: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (isTooDeep(await c.req.text()))
    throw new HttpError(requestError(400, `The body ${TOO_DEEP}. Send arrays and objects that are nested less.`));
  await next();
};

/** Takes no body for an empty object: clients name the type of a body also where they send none. */
export const takeNoBody: MiddlewareHandler<ApiEnv> = async ({ req }, next) => {
  // Without a type there must be no body either, or the request is refused.
  if (req.header('content-type') !== undefined && (await req.text()) === '')
    Object.assign(req.bodyCache, { text: Promise.resolve('{}') });
  await next();
};

/** A form has some bytes more than the file in it. */
const MAX_FORM_BYTES = MAX_FILE_BYTES + 64 * 1024;

export const limitFile: MiddlewareHandler<ApiEnv> = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: async (c) => {
    await discardBody(c);
    const message = `The file is larger than the limit of ${MAX_FILE_BYTES / 1024 / 1024} MB.`;
    throw new HttpError(requestError(413, message, { details: { limitBytes: MAX_FILE_BYTES } }));
  },
});

export const requireForm: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type');
  if (!/^multipart\/form-data\s*;/i.test(type ?? '')) {
    const message = `Expected a form with one part “file” (Content-Type: multipart/form-data), got ${type ?? 'none'}. curl -F file=@invoice.pdf sends one.`;
    throw new HttpError(requestError(415, message));
  }
  await next();
};

/** Requires a JSON content type: a page of another site can send a plain-text POST without a preflight, but no JSON. */
export const requireJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type');
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type ?? '')) {
    const message = `Expected a JSON body with the header Content-Type: application/json, got ${type ?? 'none'}.`;
    throw new HttpError(requestError(415, message));
  }
  await next();
};

/** Refuses a request that names two hosts: what checks one of them must not be answered for the other. */
export const requireOneHost: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const incoming = c.env?.incoming;
  const problem = incoming === undefined ? undefined : hostProblem(incoming);
  if (problem !== undefined) throw new HttpError(requestError(400, problem));
  await next();
};

/**
 * Checks host and origin of a request. Only the configured host names are served, as under another name (DNS rebinding) a
 * page of another site could read the answers. Pages may change nothing, except at routes that check pages or their tokens
 * themselves, and pages of this API where callers need a token, or that have signed in: browsers of sessions run on the same
 * machine, so a page could otherwise decide its own approvals from the documentation page.
 */
export function checkOrigin(
  names: readonly string[] | undefined,
  { token, pageKey }: NonNullable<ApiParts['callers']>,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { host } = new URL(c.req.url);
    const name = host.replace(/:\d+$/, '');
    if (names !== undefined && !names.includes(name)) {
      const message = `This API is served as ${names.join(', ')}, not as ${name}. Use one of these names, or add yours to SUREFOOT_API_NAMES.`;
      throw new HttpError(requestError(403, message));
    }
    const origin = c.req.header('origin');
    const isOpen = c.req.method === 'GET' || c.req.method === 'HEAD' || requirementsOf(c).takesAnyPage;
    const isOfThisApi = origin !== undefined && URL.parse(origin)?.host === host;
    // A token is asked for by its own guard.
    const mayAct = token !== undefined || isSigningIn(c) || (pageKey !== undefined && hasPageCookie(c, pageKey));
    if (!isOpen && origin !== undefined && !(isOfThisApi && mayAct)) {
      const who =
        token !== undefined
          ? `pages of ${host} may, with the token`
          : pageKey !== undefined
            ? `programs may, and the page of ${host} once it is signed in: open it by the link that the start of the stack prints`
            : `programs may, and with a token (SUREFOOT_API_TOKEN) pages of ${host}`;
      throw new HttpError(requestError(403, `A page of ${origin} may change nothing here; ${who}.`));
    }
    await next();
  };
}
