import { hc, type ClientResponse } from 'hono/client';
import type { addRoutes, OperationId } from '../../api/routes';
import type { ExportFormat } from '../../contracts/recipes/export-format';
import type { ImportRecipes } from '../../contracts/sessions/import-recipes';
import type { PromoteRecipe } from '../../contracts/recipes/promote-request';
import type { PairRequest, RegisterRequest } from '../../contracts/relay/browser-sessions';
import type {
  BackfillSchedule,
  UpdateSchedule,
  ScheduleNote,
  ScheduleRequest,
  TriggerSchedule,
} from '../../contracts/sessions/schedule';
import type { BatchInput } from '../../contracts/batches/batch';
import type { StorageState } from '../../contracts/sessions/profile';
import type { SettleEffect } from '../../contracts/sessions/once';
import type { HandBackRequest, TakeOverRequest, TakeoverInput } from '../../contracts/browsers/takeover';
import type { ForkRequest } from '../../contracts/sessions/fork-request';
import type { StartRequest } from '../../contracts/sessions/start-request';
import { toApiError } from './api-error';
import { controlMethods, type Receipt } from './control-methods';
import type {
  ApprovalListQuery,
  BatchQuery,
  BatchResultsQuery,
  BatchRowsQuery,
  BrowserSessionQuery,
  EffectListQuery,
  EventPageQuery,
  LiveViewQuery,
  OperationsFilter,
  ProfileQuery,
  RecipeListQuery,
  RecipeQuery,
  ResultQuery,
  ScheduleQuery,
  SessionListQuery,
  SessionQuery,
} from './queries';
import { repeatRequests } from './repeat-requests';

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
 * under an Idempotency-Key of its own where the caller gives none, and what is refused with 429 once there is room again. `followEvents` is the live stream.
 */
export function createApiClient(baseUrl: string, { token, fetch: send }: ApiClientOptions = {}) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const fetch = repeatRequests(send);
  const { v1, health } = hc<ReturnType<typeof addRoutes>>(baseUrl, { headers, fetch });
  const session = v1.sessions[':id'];
  const browser = v1['browser-sessions'];
  const profile = v1.profiles[':name'];
  const schedule = v1.schedules[':id'];
  const batch = v1.batches[':id'];
  return {
    ...controlMethods(async (path, body, key) => {
      const keyed = key === undefined ? {} : { 'idempotency-key': key };
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const request = {
        method: 'POST',
        headers: { ...headers, ...keyed, ...json },
        body: JSON.stringify(body) ?? null,
      };
      const response = await succeeded(fetch(`${baseUrl.replace(/\/$/, '')}${path}`, request));
      return ((await response.json()) as { data: Receipt }).data;
    }),

    startSession: (json: StartRequest, key?: string) => dataOf(v1.sessions.$post({ json, ...keyed(key) })),
    forkSession: (id: string, json: ForkRequest, key?: string) =>
      dataOf(session.fork.$post({ ...at(id), json, ...keyed(key) })),
    checkSteps: (json: StartRequest, query: { session?: string } = {}) => dataOf(v1.steps.check.$post({ json, query })),
    listSessions: (query: SessionListQuery = {}) => bodyOf(v1.sessions.$get({ query })),
    showSession: (id: string, query: SessionQuery = {}) => dataOf(session.$get({ ...at(id), query })),
    eraseSession: (id: string) => dataOf(session.$delete(at(id))),
    sessionHealth: (id: string) => dataOf(session.health.$get(at(id))),

    listMessages: (id: string) => dataOf(session.messages.$get(at(id))),
    showMessage: (id: string, messageId: string) =>
      dataOf(session.messages[':messageId'].$get({ param: { id: segment(id), messageId: segment(messageId) } })),

    listApprovals: (query: ApprovalListQuery = {}) => dataOf(v1.approvals.$get({ query })),
    showApproval: (approvalId: string) =>
      dataOf(v1.approvals[':approvalId'].$get({ param: { approvalId: segment(approvalId) } })),
    approveSession: (id: string, json: { reason?: string | undefined } = {}, key?: string) =>
      dataOf(session.approve.$post({ ...at(id), json, ...keyed(key) })),
    rejectSession: (id: string, json: { reason?: string | undefined } = {}, key?: string) =>
      dataOf(session.reject.$post({ ...at(id), json, ...keyed(key) })),

    sessionEvents: (id: string, query: EventPageQuery = {}) =>
      bodyOf(session.events.$get({ ...at(id), header: {}, query })),

    showCommand: (id: string, commandId: string) =>
      dataOf(session.commands[':commandId'].$get({ param: { id: segment(id), commandId: segment(commandId) } })),
    showResult: (id: string, query: ResultQuery = {}) => dataOf(session.result.$get({ ...at(id), query })),
    showLiveView: (id: string, query: LiveViewQuery = {}) => dataOf(session.live.$get({ ...at(id), query })),
    takeOver: (id: string, json: TakeOverRequest) => dataOf(session.takeover.$post({ ...at(id), json })),
    showTakeover: (id: string) => dataOf(session.takeover.$get(at(id))),
    takeoverInput: (id: string, json: TakeoverInput) => dataOf(session.takeover.input.$post({ ...at(id), json })),
    handBack: (id: string, json: HandBackRequest) => dataOf(session['hand-back'].$post({ ...at(id), json })),
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
    listFiles: (id: string) => dataOf(session.files.$get(at(id))),
    showFile: (id: string, fileId: string, range?: string) =>
      bytesOf(
        session.files[':fileId'].$get({ param: { id: segment(id), fileId: segment(fileId) }, header: { range } }),
      ),
    uploadFile: (file: File, key?: string) => dataOf(v1.files.$post({ form: { file }, ...keyed(key) })),
    showUploadedFile: (fileId: string) => dataOf(v1.files[':fileId'].$get({ param: { fileId: segment(fileId) } })),
    deleteUploadedFile: (fileId: string) => dataOf(v1.files[':fileId'].$delete({ param: { fileId: segment(fileId) } })),
    listRecipes: (query: RecipeListQuery = {}) => dataOf(v1.recipes.$get({ query })),
    exportRecipes: async (recipeIds: readonly string[], as: ExportFormat) =>
      await (await succeeded(v1.recipes.export.$get({ query: { ids: recipeIds.join(','), as } }))).text(),
    importRecipes: (file: ImportRecipes) => dataOf(v1.recipes.import.$post({ json: file })),
    showRecipe: (recipeId: string, query: RecipeQuery = {}) =>
      dataOf(v1.recipes[':recipeId'].$get({ ...recipe(recipeId), query })),
    listRecipeVersions: (recipeId: string) => dataOf(v1.recipes[':recipeId'].versions.$get(recipe(recipeId))),
    promoteRecipe: (recipeId: string, request: PromoteRecipe) =>
      dataOf(v1.recipes[':recipeId'].promoted.$put({ ...recipe(recipeId), json: request })),
    forgetRecipe: (recipeId: string) => dataOf(v1.recipes[':recipeId'].$delete(recipe(recipeId))),
    listEffects: (query: EffectListQuery = {}) => dataOf(v1.effects.$get({ query })),
    showEffect: (effectId: number) => dataOf(v1.effects[':effectId'].$get({ param: { effectId: String(effectId) } })),
    settleEffect: (effectId: number, json: SettleEffect) =>
      dataOf(v1.effects[':effectId'].state.$put({ param: { effectId: String(effectId) }, json })),
    listProfiles: (query: ProfileQuery = {}) => dataOf(v1.profiles.$get({ query })),
    showProfile: (name: string, query: ProfileQuery = {}) => dataOf(profile.$get({ ...profileNamed(name), query })),
    forgetProfile: (name: string, query: ProfileQuery = {}) =>
      dataOf(profile.$delete({ ...profileNamed(name), query })),
    /** With every value: whoever has it is signed in. */
    exportProfile: (name: string, query: ProfileQuery = {}) =>
      dataOf(profile.state.$get({ ...profileNamed(name), query })),
    importProfile: (name: string, state: StorageState, query: ProfileQuery = {}) =>
      dataOf(profile.state.$put({ ...profileNamed(name), query, json: state })),
    restoreProfile: (name: string, version: number, query: ProfileQuery = {}) =>
      dataOf(profile.version.$put({ ...profileNamed(name), query, json: { version } })),
    createSchedule: (json: ScheduleRequest) => dataOf(v1.schedules.$post({ json })),
    listSchedules: (query: ScheduleQuery = {}) => dataOf(v1.schedules.$get({ query })),
    showSchedule: (id: string, query: ScheduleQuery = {}) => dataOf(schedule.$get({ ...at(id), query })),
    updateSchedule: (id: string, json: UpdateSchedule, query: ScheduleQuery = {}) =>
      dataOf(schedule.$patch({ ...at(id), query, json })),
    deleteSchedule: (id: string, query: ScheduleQuery = {}) => dataOf(schedule.$delete({ ...at(id), query })),
    pauseSchedule: (id: string, json: ScheduleNote = {}, query: ScheduleQuery = {}) =>
      dataOf(schedule.pause.$post({ ...at(id), query, json })),
    resumeSchedule: (id: string, json: ScheduleNote = {}, query: ScheduleQuery = {}) =>
      dataOf(schedule.resume.$post({ ...at(id), query, json })),
    triggerSchedule: (id: string, json: TriggerSchedule = {}, query: ScheduleQuery = {}, key?: string) =>
      dataOf(schedule.trigger.$post({ ...at(id), query, json, ...keyed(key) })),
    backfillSchedule: (id: string, json: BackfillSchedule, query: ScheduleQuery = {}, key?: string) =>
      dataOf(schedule.backfill.$post({ ...at(id), query, json, ...keyed(key) })),
    startBatch: (json: BatchInput, key?: string) => dataOf(v1.batches.$post({ json, ...keyed(key) })),
    listBatches: (query: BatchQuery = {}) => dataOf(v1.batches.$get({ query })),
    showBatch: (id: string, query: BatchQuery = {}) => dataOf(batch.$get({ ...at(id), query })),
    listBatchRows: (id: string, query: BatchRowsQuery = {}) => dataOf(batch.rows.$get({ ...at(id), query })),
    showBatchResults: async (id: string, query: BatchResultsQuery = {}) =>
      await (await succeeded(batch.results.$get({ ...at(id), query }))).text(),
    pauseBatch: (id: string, query: BatchQuery = {}) => dataOf(batch.pause.$post({ ...at(id), query })),
    resumeBatch: (id: string, query: BatchQuery = {}) => dataOf(batch.resume.$post({ ...at(id), query })),
    cancelBatch: (id: string, query: BatchQuery = {}) => dataOf(batch.cancel.$post({ ...at(id), query })),
    retryBatch: (id: string, query: BatchQuery = {}) => dataOf(batch.retry.$post({ ...at(id), query })),
    listVariables: (id: string) => dataOf(session.variables.$get(at(id))),
    showLoopResult: (id: string) => dataOf(session['loop-result'].$get(at(id))),
    showReport: async (id: string) => await (await succeeded(session.report.$get(at(id)))).text(),
    listModelCalls: (id: string) => dataOf(session['model-calls'].$get(at(id))),

    pairBrowser: (json: PairRequest = {}, key?: string) => dataOf(browser.pair.$post({ json, ...keyed(key) })),
    registerBrowser: (json: RegisterRequest, key?: string) => dataOf(browser.register.$post({ json, ...keyed(key) })),
    /** Sends the session token of the browser in place of the token of the API. */
    rotateBrowserToken: (sessionToken: string, key?: string) =>
      dataOf(browser.rotate.$post(keyed(key), { headers: { authorization: `Bearer ${sessionToken}` } })),
    listBrowserSessions: (query: BrowserSessionQuery = {}) => dataOf(browser.$get({ query })),
    revokeBrowserSession: (id: string, query: BrowserSessionQuery = {}) =>
      dataOf(browser[':id'].$delete({ ...at(id), query })),

    showSignIn: () => dataOf(v1['sign-in'].$get()),
    /** Of a page of this API: its browser gets a cookie, which goes along from then on. */
    signIn: (json: { key: string }) => dataOf(v1['sign-in'].$post({ json })),
    signOut: () => dataOf(v1['sign-in'].$delete()),

    health: () => dataOf(health.$get()),
    showOperations: (query: OperationsFilter = {}) => dataOf(v1.operations.$get({ query })),
    modulesHealth: () => dataOf(v1.health.modules.$get()),
  } satisfies Record<OperationId, (...args: never[]) => Promise<unknown>>;
}

function at(id: string) {
  return { param: { id: segment(id) } };
}

function recipe(recipeId: string) {
  return { param: { recipeId: segment(recipeId) } };
}

function profileNamed(name: string) {
  return { param: { name: segment(name) } };
}

function keyed(key: string | undefined) {
  return { header: { 'idempotency-key': key } };
}

/** Hono puts the values of path parameters into the path as they are. */
function segment(value: string): string {
  return encodeURIComponent(value);
}

type AnyResponse = Pick<Response, 'ok' | 'status' | 'arrayBuffer'> & { json(): Promise<unknown> };

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
