import type { Page } from 'playwright';
import { faultPoint } from '../../../runtime/fault-point';
import type { Checkpoint, OriginState, TabState } from '../../../store/browsers/checkpoints';
import type { Store } from '../../../store/store';
import type { Attachment } from '../attach/attachment';
import { isErrorPage } from '../attach/lost-page';
import { relayClosedError } from '../attach/playwright-errors';
import { withinMs } from '../../../runtime/time-limit';
import { ANSWER_LIMIT_MS, PAGE_LIMIT_MS, readPatiently, SLOW_PAGE_LIMIT_MS } from '../pages/read-patiently';
import { formControls, readStorage, type PageStorage } from './page-storage';
import { unopenedTabs } from './unopened-tabs';
import type { SessionValues } from '../../secrets/session-values';

const COOKIES_LIMIT_MS = 10_000;
/** As for a snapshot: one read, the wait for any answer, and the second read of a page that gave one. */
const BROWSER_LIMIT_MS = PAGE_LIMIT_MS + ANSWER_LIMIT_MS + SLOW_PAGE_LIMIT_MS + 5000;
const MAX_RECORDS = 2000;
const MAX_LENGTH = 2_000_000;

export const EMPTY_CHECKPOINT: Checkpoint = { cookies: [], origins: [], tabs: [], omitted: [] };

export interface CheckpointContext {
  store: Store;
  attachment: Attachment;
  values: SessionValues;
  sessionId: string;
  runId: string;
  epoch: number;
}

/**
 * Saves the state that another Chrome needs, with the page's fingerprint where one is given. Writes nothing when
 * nothing has changed. Resolves to what could not be read, as sentences; the next Chrome reports them too. Throws
 * StoreRefusal when the lease is stale, and where the browser is gone: what was done in it since is lost with it.
 */
export function takeCheckpoint(context: CheckpointContext, fingerprint?: string): Promise<string[]> {
  const { attachment } = context;
  // In order: each checkpoint is merged into the one before.
  const taken = attachment.checkpoint.queue.then(() => write(context, fingerprint));
  attachment.checkpoint.queue = taken.then(
    () => {},
    () => {},
  );
  return taken;
}

async function write(
  { store, attachment, values, sessionId, runId, epoch }: CheckpointContext,
  fingerprint: string | undefined,
): Promise<string[]> {
  const { checkpoint: memory, browserId } = attachment;
  memory.last ??= (await store.checkpoints.get(sessionId))?.checkpoint ?? EMPTY_CHECKPOINT;
  const { last } = memory;
  const { state, unread } = await withinMs(BROWSER_LIMIT_MS, readBrowser(attachment, last, values)).catch(() => ({
    // A browser that does not answer keeps its last checkpoint, with the current address of its page.
    state: withFrontUrl(last, attachment.page.url()),
    unread: ['the newest state of the browser, which did not answer'],
  }));
  // Closed pages have no fields: the state of a browser that has just died would pass for the newest one.
  if ((attachment.page.isClosed() || !attachment.isConnected) && (await attachment.isLost()))
    throw relayClosedError(new Error('The browser went away while its state was read.'));
  const found = fitToLimit({ ...state, omitted: [...new Set([...state.omitted, ...unread])] });
  const checkpoint = { ...found, ...(unread.length > 0 || fingerprint === undefined ? {} : { fingerprint }) };
  if (JSON.stringify(checkpoint) === JSON.stringify(last)) return unread;
  faultPoint('during-checkpoint', sessionId);
  await store.checkpoints.save(sessionId, { runId, epoch }, { browserId, checkpoint });
  memory.last = checkpoint;
  return unread;
}

function withFrontUrl(last: Checkpoint, url: string): Checkpoint {
  const isMoved = (tab: TabState): boolean => tab.isFront && tab.url !== url && originOf(url) !== undefined;
  const tabs = last.tabs.map((tab) => (isMoved(tab) ? { ...tab, url, fields: [], secretFields: undefined } : tab));
  return { ...last, tabs };
}

/** What the checkpoint of a browser is, and what of it could not be read. */
interface BrowserState {
  state: Checkpoint;
  unread: string[];
}

async function readBrowser(attachment: Attachment, before: Checkpoint, values: SessionValues): Promise<BrowserState> {
  const front = attachment.page;
  const [cookies, pages] = await Promise.all([
    withinMs(COOKIES_LIMIT_MS, attachment.context.cookies()),
    Promise.all(attachment.tabs.map((page) => readTab(attachment, page, page === front, before, values))),
  ]);
  const omitted = new Set(pages.flatMap(({ isUnusable, tab }) => (isUnusable ? [newestStateOf(tab, values)] : [])));
  const origins = new Map(before.origins.map((origin) => [origin.origin, origin]));
  for (const { origin } of pages) {
    if (origin === undefined) continue;
    origins.set(origin.origin, origin);
  }
  for (const { origin, databases } of origins.values()) {
    const skipped = databases.reduce((sum, database) => sum + database.skipped, 0);
    if (skipped > 0) omitted.add(`${skipped} or more IndexedDB records of ${origin}`);
  }
  return {
    state: {
      cookies: cookies.map((cookie) => ({ ...cookie })),
      origins: [...origins.values()],
      tabs: pages.map(({ tab }) => tab),
      ...passkeysOf(attachment, before),
      omitted: [...omitted],
    },
    unread: pages.flatMap(({ isUnread, tab }) => (isUnread ? [newestStateOf(tab, values)] : [])),
  };
}

/** A session whose profile does not allow them keeps those that it began with. */
function passkeysOf({ passkeys }: Attachment, before: Checkpoint): Pick<Checkpoint, 'passkeys'> {
  const kept = passkeys?.list() ?? before.passkeys ?? [];
  return kept.length === 0 ? {} : { passkeys: kept };
}

function newestStateOf({ url }: TabState, values: SessionValues): string {
  return `the newest state of ${values.redact(url)}, which did not answer`;
}

type StorageAndForm = [PageStorage, ReturnType<typeof formControls>];
/** In one round trip. */
const READ_STORAGE_AND_FORM = `Promise.all([(${readStorage.toString()})(${MAX_RECORDS}), (${formControls.toString()})(null)])`;

interface ReadTab {
  tab: TabState;
  /** Absent where nothing could be read. */
  origin?: OriginState | undefined;
  /** The page did not answer, although it waits for no other document. */
  isUnread?: boolean;
  /** It was found not to answer before. */
  isUnusable?: boolean;
}

async function readTab(
  attachment: Attachment,
  page: Page,
  isFront: boolean,
  before: Checkpoint,
  values: SessionValues,
): Promise<ReadTab> {
  const url = page.url();
  const targetId = await attachment.targetIdOf(page);
  const earlier = before.tabs.find((tab) => tab.targetId === targetId);
  const session = earlier?.session ?? [];
  const tab: TabState = { targetId, url, isFront, session, scroll: { x: 0, y: 0 }, fields: [] };
  const origin = originOf(url);
  // An error page of Chrome's own can not be restored: the tab stays what it was before.
  if (isErrorPage(page)) return { tab: { ...(earlier ?? { ...tab, url: 'about:blank' }), isFront } };
  if (url !== 'about:blank') unopenedTabs.delete(page);
  if (origin === undefined) return { tab: { ...(unopenedTabs.get(page) ?? tab), targetId, isFront } };
  const isSamePage = earlier?.url === url;
  const { scroll, fields, secretFields } = isSamePage ? earlier : tab;
  const asBefore = { ...tab, scroll, fields, ...(secretFields === undefined ? {} : { secretFields }) };
  if (!attachment.isUsable(page)) return { tab: asBefore, isUnusable: true };
  try {
    const read = (limitMs: number) => withinMs(limitMs, page.evaluate<StorageAndForm>(READ_STORAGE_AND_FORM));
    // A page that waits for its next document answers nothing until then.
    const [storage, form] = await readPatiently(page, read, () => attachment.watch.isNavigating());
    // The page navigated meanwhile: what was read may belong to either origin.
    if (originOf(page.url()) !== origin) return { tab: { ...tab, url: page.url() } };
    for (const { value, isPassword } of form.guarded) if (isPassword) values.addSecret(value);
    const entries = storage.session;
    return {
      tab: {
        ...tab,
        session: [
          ...session.filter((one) => one.origin !== origin),
          ...(entries.length === 0 ? [] : [{ origin, entries }]),
        ],
        scroll: storage.scroll,
        ...(isFront ? fieldsIn(form, values) : {}),
      },
      origin: { origin, local: storage.local, databases: storage.databases },
    };
  } catch {
    // Its origin keeps what was read before. A page that is being replaced, or is gone, has no newer state.
    const isReplaced = page.isClosed() || attachment.watch.isNavigating() || page.url() !== url;
    if (isReplaced) return { tab: { ...tab, url: page.url() } };
    // The next checkpoint does not wait for it again. The snapshot says so of the page in front.
    if (!isFront) attachment.markUnusable(page);
    return { tab: asBefore, isUnread: true };
  }
}

/** Keeps a field with a secret by the name of its variable; without a variable it is only counted. */
function fieldsIn(
  form: ReturnType<typeof formControls>,
  values: SessionValues,
): Pick<TabState, 'fields' | 'secretFields' | 'unkeptFields'> {
  const isSafe = (value: string): boolean => values.redact(value) === value;
  const fields = form.fields.filter(({ value }) => [value].flat().every((one) => isSafe(String(one))));
  const guarded = [...form.fields.filter((field) => !fields.includes(field)), ...form.guarded];
  const secretFields = guarded.flatMap(({ key, nth, value }) => {
    const variable = typeof value === 'string' ? values.secretNameOf(value) : undefined;
    return variable === undefined ? [] : [{ key, nth, variable }];
  });
  const unkeptFields = guarded.length - secretFields.length;
  return {
    fields,
    ...(secretFields.length === 0 ? {} : { secretFields }),
    ...(unkeptFields === 0 ? {} : { unkeptFields }),
  };
}

export function originOf(url: string): string | undefined {
  const { protocol, origin } = URL.parse(url) ?? {};
  return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
}

/** Drops parts of a checkpoint that is too large, the least valuable first. */
function fitToLimit(whole: Checkpoint): Checkpoint {
  const cuts: [string, (checkpoint: Checkpoint) => Checkpoint][] = [
    [
      'the form values',
      (checkpoint) => ({
        ...checkpoint,
        tabs: checkpoint.tabs.map((tab) => ({ ...tab, fields: [], secretFields: undefined })),
      }),
    ],
    [
      'IndexedDB',
      (checkpoint) => ({
        ...checkpoint,
        origins: checkpoint.origins.map((origin) => ({ ...origin, databases: [] })),
      }),
    ],
    [
      'the storage of pages that are not open',
      (checkpoint) => {
        const open = new Set(checkpoint.tabs.map(({ url }) => originOf(url)));
        return { ...checkpoint, origins: checkpoint.origins.filter(({ origin }) => open.has(origin)) };
      },
    ],
    ['localStorage', (checkpoint) => ({ ...checkpoint, origins: [] })],
    [
      'sessionStorage',
      (checkpoint) => ({ ...checkpoint, tabs: checkpoint.tabs.map((tab) => ({ ...tab, session: [] })) }),
    ],
  ];
  let checkpoint = whole;
  for (const [what, cut] of cuts) {
    if (JSON.stringify(checkpoint).length <= MAX_LENGTH) return checkpoint;
    checkpoint = { ...cut(checkpoint), omitted: [...checkpoint.omitted, `${what}: too large`] };
  }
  return checkpoint;
}
