import { setTimeout as delay } from 'node:timers/promises';
import { MASKED_VALUE, type ApprovalView } from '../../../contracts/browsers/approval-view';
import type { ApprovedRequest } from '../../../contracts/browsers/approved-request';
import { viewKey, type PlannedCommand } from '../../../contracts/commands/planned-command';
import type { Store } from '../../../store/store';
import type { Attachment } from '../attach/attachment';
import { EngineError } from '../../activity/failures';
import { learnGuardedFields } from '../../secrets/guarded-fields';
import type { SessionValues } from '../../secrets/session-values';
import { truncateMiddle } from '../../../rules/page-text/truncate-middle';
import { learnBaseline, type Baseline } from './baseline';
import { isAsShown, readsAlike } from './is-as-shown';
import { amountsIn, movingPlaces } from './moving-texts';
import { readSight, type Sight } from './sight';

/** How far apart a page is read before anybody is asked: a clock of seconds moves meanwhile, and no beat is hit each time. */
const PAUSES_MS = [290, 410, 530];
/** Where something moves, it is looked at for longer: what comes in turn is not all seen by a few reads. */
const MORE_PAUSES_MS = [350, 470, 230];
const MOST_FIELDS = 60;
const MOST_AMOUNTS = 20;
const LONGEST = { name: 100, value: 200, text: 1500 };

/** What a person is shown of the page for one command; `missing`: its element is not there. */
export type CapturedView = Omit<ApprovalView, 'screenshotId'> | 'missing' | undefined;

export interface ViewContext {
  store: Pick<Store, 'secrets' | 'approvedViews'>;
  sessionId: string;
  attachment: Attachment;
  values: SessionValues;
}

/**
 * Reads what an approval of the command is bound to. A page that reads and looks as it did when a person was asked about the
 * same command has the view of that time, with its digest. Undefined for a command that aims at nothing on the page.
 */
export async function captureView(context: ViewContext, command: PlannedCommand): Promise<CapturedView> {
  const { store, sessionId, attachment, values } = context;
  if (!attachment.hasDevTools) throw approvalRefused(attachment.launchedType);
  const first = await readSight(attachment, command);
  if (first === undefined || first === 'missing') return first;
  const known = await knownBaselines(context, command);
  const same = known.find((each) => isStillRefused(each, first)) ?? known.find((each) => isAsShown(each, first));
  if (same !== undefined) return same.view;
  const sights = [first];
  const pauses = [...PAUSES_MS];
  for (const pauseMs of pauses) {
    await delay(pauseMs);
    const next = await readSight(attachment, command);
    if (next === undefined || next === 'missing') return next;
    sights.push(next);
    if (sights.length === PAUSES_MS.length + 1 && movingPlaces(sights).length > 0) pauses.push(...MORE_PAUSES_MS);
  }
  if (values.hasSecrets) await learnGuardedFields(attachment.page, values);
  const learned = learnBaseline(sights, known.map(({ sight }) => sight).toReversed());
  const view = toView(context, learned.sight, undefined);
  const text = JSON.stringify({ ...learned, view } satisfies Baseline);
  await store.approvedViews.save(sessionId, { digest: view.digest, command: viewKey(command), text });
  return view;
}

function approvalRefused(browserType = 'this browser'): EngineError {
  const message = `A person is to be asked about this command, and in ${browserType} nobody can hold what it sends to their answer, so it is not done.`;
  return new EngineError('SP001', message, {
    isFinal: true,
    suggestedAction: 'Start the session with browserType chromium, or with approvalMode yolo.',
  });
}

/** What a person was shown under this digest; undefined where it can't be known any more. */
async function baselineOf(
  { store, sessionId }: Pick<ViewContext, 'store' | 'sessionId'>,
  digest: string,
): Promise<Baseline | undefined> {
  const text = await store.approvedViews.get(sessionId, digest);
  return text === undefined ? undefined : (JSON.parse(text) as Baseline);
}

/** The page as it is now and as a person was shown it under this digest; undefined where they are not the same. */
export async function asApproved(
  context: ViewContext,
  command: PlannedCommand,
  digest: string,
): Promise<{ baseline: Baseline; now: Sight } | undefined> {
  const [baseline, now] = await Promise.all([baselineOf(context, digest), readSight(context.attachment, command)]);
  if (baseline === undefined || now === undefined || now === 'missing') return undefined;
  return isAsShown(baseline, now) || isStillRefused(baseline, now) ? { baseline, now } : undefined;
}

/** The next question about this command, on the page as it was shown, is about the request that would have left. */
export async function noteRefusedRequest(
  context: ViewContext,
  command: PlannedCommand,
  request: ApprovedRequest,
): Promise<void> {
  const { store, sessionId } = context;
  const baseline = command.viewDigest === undefined ? undefined : await baselineOf(context, command.viewDigest);
  if (baseline === undefined) return;
  const view = toView(context, baseline.sight, request);
  const text = JSON.stringify({ ...baseline, request, view } satisfies Baseline);
  await store.approvedViews.save(sessionId, { digest: view.digest, command: viewKey(command), text });
}

async function knownBaselines({ store, sessionId }: ViewContext, command: PlannedCommand): Promise<Baseline[]> {
  const texts = await store.approvedViews.ofCommand(sessionId, viewKey(command));
  return texts.map((text) => JSON.parse(text) as Baseline);
}

/** A click that was refused has left the page drawn otherwise, under the pointer and with the focus; the request says all. */
function isStillRefused(baseline: Baseline, now: Sight): boolean {
  return baseline.request !== undefined && readsAlike(baseline, now);
}

function toView(
  { store, sessionId, values }: ViewContext,
  sight: Sight,
  request: ApprovedRequest | undefined,
): Omit<ApprovalView, 'screenshotId'> {
  const { submitsTo, fields, entries, region, elsewhere, picture } = sight;
  const shown = (value: string, limit: number): string => truncateMiddle(values.redact(value), limit);
  const guarded = new Set(fields.flatMap(({ isGuarded, value }) => (isGuarded && value !== '' ? [value] : [])));
  const masked = (value: string): string =>
    guarded.has(value) || values.redact(value) !== value ? MASKED_VALUE : shown(value, LONGEST.value);
  const said = new Set(fields.map(({ name, value }) => JSON.stringify([name, value])));
  const added = entries.filter((entry) => {
    const [name, value] = entry;
    // A list sends another value than it shows, and an unnamed box “on”.
    const own = fields.find((field) => field.name === name && !field.isHidden);
    return !said.has(JSON.stringify(entry)) && own === undefined && value !== '';
  });
  const rows = [
    ...fields.map(({ label, value }) => ({ name: shown(label, LONGEST.name), value: masked(value) })),
    ...added.map(([name, value]) => ({ name: `${shown(name, LONGEST.name)} (as sent)`, value: masked(value) })),
  ];
  const amounts = [...new Set([...region, ...elsewhere].flatMap(({ text }) => amountsIn(text)))];
  const others = [...new Set(elsewhere.map(({ text }) => shown(text, LONGEST.value)))];
  return {
    // Keyed: everybody may read it, and a short secret of the form could be guessed from a plain hash.
    digest: store.secrets.digest(
      sessionId,
      JSON.stringify([submitsTo, fields, entries, region, elsewhere, picture?.png, request]),
    ),
    ...(submitsTo === undefined ? {} : { submitsTo: shown(submitsTo, LONGEST.text) }),
    fields: rows.slice(0, MOST_FIELDS),
    text: shown(region.map(({ text }) => text).join(' '), LONGEST.text),
    amounts: amounts.slice(0, MOST_AMOUNTS).map((amount) => shown(amount, LONGEST.name)),
    ...(others.length === 0 ? {} : { elsewhere: others.slice(0, MOST_AMOUNTS) }),
    ...(request === undefined
      ? {}
      : {
          request: {
            method: request.method,
            url: shown(request.url, LONGEST.text),
            values: request.values
              .slice(0, MOST_FIELDS)
              .map(([name, value]) => [shown(name, LONGEST.name), masked(value)]),
          },
        }),
  };
}
