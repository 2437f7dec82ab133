import { hc, type ClientResponse, type InferRequestType } from 'hono/client';
import type { addRoutes, OperationId } from '../../api/routes';
import { toApiError } from './api-error';
import { retryPosts } from './retry-posts';

type Endpoints = ReturnType<typeof hc<ReturnType<typeof addRoutes>>>;
type OfSession = Endpoints['v1']['sessions'][':id'];
type BodyOf<E> = InferRequestType<E> extends { json: infer Body } ? Body : never;
type QueryOf<E> = InferRequestType<E> extends { query: infer Query } ? Query : never;

type Success<R> = R extends ClientResponse<infer Body, 200 | 201 | 202, 'json'> ? Extract<Body, object> : never;
type Data<R> = Success<R> extends { data?: infer D } ? Exclude<D, undefined> : never;

export interface ApiClientOptions {
  /** SUREFOOT_API_TOKEN of the API, where it has one. */
  token?: string | undefined;
  fetch?: typeof fetch | undefined;
}

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * A client of the REST API: one method for each operation, its types those of the route. Each resolves to the `data` of
 * the answer (a page with its place among the others) and rejects with an ApiError. A POST is repeated during an outage,
 * under an Idempotency-Key of its own where the caller gives none. `followEvents` is the live stream.
 */
export function createApiClient(baseUrl: string, { token, fetch: send }: ApiClientOptions = {}) {
  const { v1, health } = hc<ReturnType<typeof addRoutes>>(baseUrl, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: retryPosts(send),
  });
  const session = v1.sessions[':id'];
  const browser = v1['browser-sessions'];
  return {
    startSession: (json: BodyOf<Endpoints['v1']['sessions']['$post']>, key?: string) =>
      dataOf(v1.sessions.$post({ json, ...keyed(key) })),
    listSessions: (query: QueryOf<Endpoints['v1']['sessions']['$get']> = {}) => bodyOf(v1.sessions.$get({ query })),
    showSession: (id: string, query: QueryOf<OfSession['$get']> = {}) => dataOf(session.$get({ ...at(id), query })),
    eraseSession: (id: string) => dataOf(session.$delete(at(id))),
    sessionHealth: (id: string) => dataOf(session.health.$get(at(id))),

    pauseSession: (id: string, key?: string) => dataOf(session.pause.$post({ ...at(id), ...keyed(key) })),
    resumeSession: (id: string, key?: string) => dataOf(session.resume.$post({ ...at(id), ...keyed(key) })),
    cancelSession: (id: string, key?: string) => dataOf(session.cancel.$post({ ...at(id), ...keyed(key) })),
    closeSession: (id: string, key?: string) => dataOf(session.close.$post({ ...at(id), ...keyed(key) })),
    cancelTurn: (id: string, key?: string) => dataOf(session['cancel-turn'].$post({ ...at(id), ...keyed(key) })),
    cancelCall: (
      id: string,
      callId: string,
      json: BodyOf<OfSession['calls'][':callId']['cancel']['$post']> = {},
      key?: string,
    ) => {
      const param = { id: segment(id), callId: segment(callId) };
      return dataOf(session.calls[':callId'].cancel.$post({ param, json, ...keyed(key) }));
    },
    resolveUnknown: (id: string, json: BodyOf<OfSession['resolve-unknown']['$post']>, key?: string) =>
      dataOf(session['resolve-unknown'].$post({ ...at(id), json, ...keyed(key) })),
    resolveBudget: (id: string, json: BodyOf<OfSession['resolve-budget']['$post']>, key?: string) =>
      dataOf(session['resolve-budget'].$post({ ...at(id), json, ...keyed(key) })),
    addSteps: (id: string, json: BodyOf<OfSession['steps']['$post']>, key?: string) =>
      dataOf(session.steps.$post({ ...at(id), json, ...keyed(key) })),

    listOrders: (id: string) => dataOf(session.orders.$get(at(id))),
    showOrder: (id: string, orderId: string) =>
      dataOf(session.orders[':orderId'].$get({ param: { id: segment(id), orderId: segment(orderId) } })),

    listApprovals: (query: QueryOf<Endpoints['v1']['approvals']['$get']> = {}) => dataOf(v1.approvals.$get({ query })),
    showApproval: (approvalId: string) =>
      dataOf(v1.approvals[':approvalId'].$get({ param: { approvalId: segment(approvalId) } })),
    decideApproval: (
      approvalId: string,
      json: BodyOf<Endpoints['v1']['approvals'][':approvalId']['decision']['$post']>,
      key?: string,
    ) => {
      const param = { approvalId: segment(approvalId) };
      return dataOf(v1.approvals[':approvalId'].decision.$post({ param, json, ...keyed(key) }));
    },
    revokeApproval: (
      approvalId: string,
      json: BodyOf<Endpoints['v1']['approvals'][':approvalId']['revoke']['$post']> = {},
      key?: string,
    ) => {
      const param = { approvalId: segment(approvalId) };
      return dataOf(v1.approvals[':approvalId'].revoke.$post({ param, json, ...keyed(key) }));
    },
    approveSession: (id: string, key?: string) => dataOf(session.approve.$post({ ...at(id), ...keyed(key) })),
    rejectSession: (id: string, json: BodyOf<OfSession['reject']['$post']> = {}, key?: string) =>
      dataOf(session.reject.$post({ ...at(id), json, ...keyed(key) })),

    sessionEvents: (id: string, query: QueryOf<OfSession['events']['$get']> = {}) =>
      bodyOf(session.events.$get({ ...at(id), header: {}, query })),

    showCommand: (id: string, commandId: string) =>
      dataOf(session.commands[':commandId'].$get({ param: { id: segment(id), commandId: segment(commandId) } })),
    listScreenshots: (id: string) => dataOf(session.screenshots.$get(at(id))),
    showScreenshot: (id: string, screenshotId: string) =>
      bytesOf(
        session.screenshots[':screenshotId'].$get({ param: { id: segment(id), screenshotId: segment(screenshotId) } }),
      ),
    showThumbnail: (id: string, screenshotId: string) =>
      bytesOf(
        session.screenshots[':screenshotId'].thumbnail.$get({
          param: { id: segment(id), screenshotId: segment(screenshotId) },
        }),
      ),
    listVariables: (id: string) => dataOf(session.variables.$get(at(id))),
    listModelCalls: (id: string) => dataOf(session['model-calls'].$get(at(id))),

    pairBrowser: (json: BodyOf<Endpoints['v1']['browser-sessions']['pair']['$post']> = {}, key?: string) =>
      dataOf(browser.pair.$post({ json, ...keyed(key) })),
    registerBrowser: (json: BodyOf<Endpoints['v1']['browser-sessions']['register']['$post']>, key?: string) =>
      dataOf(browser.register.$post({ json, ...keyed(key) })),
    /** Sends the session token of the browser in place of the token of the API. */
    rotateBrowserToken: (sessionToken: string, key?: string) =>
      dataOf(browser.rotate.$post(keyed(key), { headers: { authorization: `Bearer ${sessionToken}` } })),
    listBrowserSessions: (query: QueryOf<Endpoints['v1']['browser-sessions']['$get']> = {}) =>
      dataOf(browser.$get({ query })),
    revokeBrowserSession: (id: string, query: QueryOf<Endpoints['v1']['browser-sessions'][':id']['$delete']> = {}) =>
      dataOf(browser[':id'].$delete({ ...at(id), query })),

    health: () => dataOf(health.$get()),
    modulesHealth: () => dataOf(v1.health.modules.$get()),
  } satisfies Record<OperationId, (...args: never[]) => Promise<unknown>>;
}

function at(id: string) {
  return { param: { id: segment(id) } };
}

function keyed(key: string | undefined) {
  return { header: { 'idempotency-key': key } };
}

/** Hono puts the values of path parameters into the path as they are. */
function segment(value: string): string {
  return encodeURIComponent(value);
}

type AnyResponse = Pick<ClientResponse<unknown>, 'ok' | 'status' | 'arrayBuffer'> & { json(): Promise<unknown> };

async function dataOf<R extends AnyResponse>(request: Promise<R>): Promise<Data<R>> {
  const { data } = (await bodyOf(request)) as { data: Data<R> };
  return data;
}

async function bodyOf<R extends AnyResponse>(request: Promise<R>): Promise<Success<R>> {
  return (await (await succeeded(request)).json()) as Success<R>;
}

async function bytesOf(request: Promise<AnyResponse>): Promise<Uint8Array> {
  return new Uint8Array(await (await succeeded(request)).arrayBuffer());
}

async function succeeded<R extends AnyResponse>(request: Promise<R>): Promise<R> {
  const response = await request;
  if (!response.ok) throw await toApiError(response);
  return response;
}
