import type { Page } from 'playwright';
import { faultPoint } from '../../../runtime/fault-point';
import type { Checkpoint, OriginState, TabState } from '../../../store/browsers/checkpoints';
import type { Store } from '../../../store/store';
import type { Attachment } from '../attachment';
import { withinMs } from '../../../runtime/time-limit';
import { formControls, readStorage } from './page-storage';
import type { SessionValues } from '../../secrets/session-values';

const BROWSER_LIMIT_MS = 8000;
const PAGE_LIMIT_MS = 5000;
const MAX_RECORDS = 2000;
const MAX_LENGTH = 2_000_000;

export const EMPTY_CHECKPOINT: Checkpoint = { cookies: [], origins: [], tabs: [], omitted: [] };

export interface CheckpointContext {
  store: Store;
  attachment: Attachment;
  values: SessionValues;
  sessionId: string;
  epoch: number;
}

/**
 * Saves the state that another Chrome needs, with the page's fingerprint where one is given. Writes nothing when
 * nothing has changed. Resolves to false when the newest state could not be saved.
 */
export function takeCheckpoint(context: CheckpointContext, fingerprint?: string): Promise<boolean> {
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
  { store, attachment, values, sessionId, epoch }: CheckpointContext,
  fingerprint: string | undefined,
): Promise<boolean> {
  const { checkpoint: memory, browserId } = attachment;
  memory.last ??= (await store.checkpoints.get(sessionId))?.checkpoint ?? EMPTY_CHECKPOINT;
  const read = await withinMs(BROWSER_LIMIT_MS, readBrowser(attachment, memory.last, values)).catch(() => undefined);
  // A browser that does not answer keeps its last checkpoint, with the current address of its page.
  const found = read === undefined ? withFrontUrl(memory.last, attachment.page.url()) : fitToLimit(read);
  const checkpoint = { ...found, ...(read === undefined || fingerprint === undefined ? {} : { fingerprint }) };
  if (JSON.stringify(checkpoint) === JSON.stringify(memory.last)) return read !== undefined;
  faultPoint('during-checkpoint', sessionId);
  // A stale lease writes nothing; the journal refuses it too.
  const isWritten = await store.checkpoints.save(sessionId, epoch, { browserId, checkpoint });
  if (isWritten) memory.last = checkpoint;
  return isWritten && read !== undefined;
}

function withFrontUrl(last: Checkpoint, url: string): Checkpoint {
  const isMoved = (tab: TabState): boolean => tab.isFront && tab.url !== url && originOf(url) !== undefined;
  const tabs = last.tabs.map((tab) => (isMoved(tab) ? { ...tab, url, fields: [], secretFields: undefined } : tab));
  return { ...last, tabs };
}

async function readBrowser(attachment: Attachment, before: Checkpoint, values: SessionValues): Promise<Checkpoint> {
  const front = attachment.page;
  const [cookies, pages] = await Promise.all([
    withinMs(PAGE_LIMIT_MS, attachment.context.cookies()),
    Promise.all(attachment.tabs.map((page) => readTab(attachment, page, page === front, before, values))),
  ]);
  const omitted = new Set<string>();
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
    cookies: cookies.map((cookie) => ({ ...cookie })),
    origins: [...origins.values()],
    tabs: pages.map(({ tab }) => tab),
    omitted: [...omitted],
  };
}

async function readTab(
  attachment: Attachment,
  page: Page,
  isFront: boolean,
  before: Checkpoint,
  values: SessionValues,
): Promise<{ tab: TabState; origin: OriginState | undefined }> {
  const url = page.url();
  const targetId = await attachment.targetIdOf(page);
  const earlier = before.tabs.find((tab) => tab.targetId === targetId);
  const session = earlier?.session ?? [];
  const tab: TabState = { targetId, url, isFront, session, scroll: { x: 0, y: 0 }, fields: [] };
  const origin = originOf(url);
  if (origin === undefined) return { tab, origin: undefined };
  try {
    const [storage, form] = await withinMs(
      PAGE_LIMIT_MS,
      Promise.all([page.evaluate(readStorage, MAX_RECORDS), page.evaluate(formControls, null)]),
    );
    // The page navigated meanwhile: what was read may belong to either origin.
    if (originOf(page.url()) !== origin) return { tab: { ...tab, url: page.url() }, origin: undefined };
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
    // The page navigates, or does not answer: its origin keeps what was read before.
    return { tab, origin: undefined };
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
