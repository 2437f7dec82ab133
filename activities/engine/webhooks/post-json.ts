import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { endpointOf } from '../../../contracts/browsers/origins';
import { errorMessage } from '../../../contracts/errors/error-message';
import { webhookNetwork } from '../../../contracts/sessions/webhook';
import { checkEndpoint, lookupOf, resolveBySystem } from '../../../runtime/egress/checked-addresses';
import type { EngineEndpoints } from '../../../runtime/egress/engine-endpoints';
import type { SendEnd } from './send-end';

/** Of one attempt, the look-up of the name included. */
const LIMIT_MS = 15_000;

interface PostOptions {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Origins on this machine or in a private network that may be reached. */
  origins: readonly string[];
  engine: EngineEndpoints;
  signal: AbortSignal;
}

/**
 * Posts JSON, following no redirect, to addresses that were checked: the name is not resolved again. The reason of a failure names
 * no more of the address than its origin.
 */
export async function postJson({ url, headers, body, origins, engine, signal }: PostOptions): Promise<SendEnd> {
  const { origin, protocol } = new URL(url);
  const policy = webhookNetwork(origins);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const check = await checkEndpoint(endpointOf(url)!, { policy, engine, resolve: resolveBySystem });
    if (check.kind === 'blocked')
      return { kind: 'refused', reason: `${origin} is not reached (${check.guard}; SUREFOOT_WEBHOOK_ORIGINS)` };
    const send = protocol === 'https:' ? requestHttps : requestHttp;
    const status = await statusOf(send, url, body, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Surefoot',
      },
      lookup: lookupOf(check.addresses),
      agent: false,
      signal: limit,
    });
    if (status >= 200 && status < 300) return { kind: 'taken' };
    if (status >= 300 && status < 400)
      return { kind: 'refused', reason: `${origin} answered ${status}, and redirects are not followed` };
    return { kind: status === 410 ? 'refused' : 'missed', reason: `${origin} answered ${status}` };
  } catch (error) {
    // A worker that is ending makes no statement about the receiver.
    signal.throwIfAborted();
    return { kind: 'missed', reason: `${origin} could not be reached (${errorMessage(error)})` };
  }
}

/** Resolves to the status of the answer, whose body nobody reads. */
function statusOf(send: typeof requestHttp, url: string, body: string, options: RequestOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = send(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.on('error', () => {});
      response.destroy();
    });
    request.on('error', reject);
    request.end(body);
  });
}
