import type { ApprovedDeed, ApprovedRequest } from '../../../contracts/browsers/approved-request';
import { isDrawnByChance, isSameValue, isTime, knownValues, type KnownValues } from './known-values';
import { addressValues, bodyValues, type Entry, type PausedRequest } from './request-values';

/** `hold`: it is none of the deed's, and waits until that is over. The reasons are sentences. */
export type RequestVerdict = { kind: 'let' } | { kind: 'hold' } | { kind: 'refuse'; reasons: string[] };

export interface Circumstances {
  /** The document of a form or a link, not a script's request. */
  isNavigation: boolean;
  /** The page has asked for the same address before, when nobody had approved anything. */
  isHabit: boolean;
  /** How many requests of the deed have left. */
  sent: number;
  /** One of them was a document: another page is there, which reports what it likes. */
  hasLedOn: boolean;
}

const MOST_REASONS = 10;
/** What a server gives a name to, and a script sends back to it. */
const ID = /(?:^|[._-])(?:id|no|nr|number|key|ref|version|index|time|timestamp|ts)$|Id$/;

/** Judges a request that may change something by what was approved. */
export function judgeRequest(deed: ApprovedDeed, request: PausedRequest, given: Circumstances): RequestVerdict {
  const asSent = requestOf(request);
  if (deed.request !== undefined && isSameRequest(deed.request, asSent)) return { kind: 'let' };
  const { submits } = deed;
  const known = knownValues(deed);
  const isSubmission =
    given.isNavigation && submits !== undefined && request.method === submits.method && isSameAddress(submits, request);
  const reasons = isSubmission
    ? differences(approvedValues(deed), deed.nonces, known, sentValues(request))
    : problems(deed, known, asSent.values);
  if (deed.request !== undefined && reasons.length === 0 && !given.isHabit)
    reasons.push('It is not the request that was approved.');
  const conflicts = isSubmission ? reasons : asSent.values.flatMap((entry) => conflictOf(deed, known, entry));
  if (reasons.length === 0) return { kind: given.isHabit && !isSubmission ? 'hold' : 'let' };
  const isFollowing =
    given.hasLedOn ||
    (given.sent > 0 && asSent.values.every(([name, value]) => ID.test(name) || known.explains(value)));
  if (!isSubmission && conflicts.length === 0 && (given.isHabit || isFollowing)) return { kind: 'hold' };
  return { kind: 'refuse', reasons: reasons.slice(0, MOST_REASONS) };
}

/** What of a frame that a WebSocket has sent was not approved; of one that looks like earlier ones, what contradicts a field. */
export function frameProblems(deed: ApprovedDeed, frame: PausedRequest, isHabit: boolean): string[] {
  const known = knownValues(deed);
  const { values } = requestOf(frame);
  const reasons = isHabit ? values.flatMap((entry) => conflictOf(deed, known, entry)) : problems(deed, known, values);
  return reasons.slice(0, MOST_REASONS);
}

/** A request with all its values, as a person is shown it. */
export function requestOf(request: PausedRequest): ApprovedRequest {
  const { method, url } = request;
  return { method, url, values: [...addressValues(url), ...bodyValues(request)] };
}

/** The address that a form with GET is sent to has its values in place of the query that it was given. */
function isSameAddress({ method, url }: { method: string; url: string }, request: PausedRequest): boolean {
  const [one, other] = [new URL(url), new URL(request.url)];
  for (const each of [one, other]) {
    each.hash = '';
    if (method === 'GET') each.search = '';
  }
  return one.href === other.href;
}

function isSameRequest(approved: ApprovedRequest, now: ApprovedRequest): boolean {
  const place = ({ method, url }: ApprovedRequest): string =>
    `${method} ${new URL(url).origin}${new URL(url).pathname}`;
  if (place(approved) !== place(now) || approved.values.length !== now.values.length) return false;
  return approved.values.every(([name, value], index) => {
    const [nameNow, valueNow] = now.values[index]!;
    const isRedrawn = [value, valueNow].every((each) => isDrawnByChance(each) || isTime(each));
    return name === nameNow && (value === valueNow || isRedrawn);
  });
}

/** Of a form; a link has its values in its address. */
function approvedValues({ entries, submits }: ApprovedDeed): Entry[] {
  return entries.length > 0 || submits?.method !== 'GET' ? entries : [...new URL(submits.url).searchParams];
}

function sentValues(request: PausedRequest): Entry[] {
  return request.method === 'GET' ? [...new URL(request.url).searchParams] : bodyValues(request);
}

/** What of a form's values is not as it was approved. */
function differences(
  entries: readonly Entry[],
  nonces: readonly string[],
  known: KnownValues,
  sent: readonly Entry[],
): string[] {
  const left = [...sent];
  const reasons: string[] = [];
  for (const [name, value] of entries) {
    const own = left.filter(([each]) => each === name);
    const same = own.find(([, each]) => sameText(each) === sameText(value));
    const redrawn = own.find(([, each]) => isDrawnByChance(each) && (nonces.includes(name) || value === ''));
    const found = same ?? redrawn;
    if (found !== undefined) left.splice(left.indexOf(found), 1);
    else if (own[0] === undefined) reasons.push(`${name} would be missing, and “${value}” was approved.`);
    else {
      reasons.push(`${name} would be “${own[0][1]}”, and “${value}” was approved.`);
      left.splice(left.indexOf(own[0]), 1);
    }
  }
  for (const [name, value] of left) {
    // Where on its picture a button was pressed.
    if (/(?:^|\.)[xy]$/.test(name) && /^\d+$/.test(value)) continue;
    if (!known.explains(value)) reasons.push(`${name} would be “${value}”, which was not there.`);
  }
  return reasons;
}

function sameText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** What of the values of a script's request was neither shown nor held by the page. */
function problems(deed: ApprovedDeed, known: KnownValues, values: readonly Entry[]): string[] {
  return values.flatMap(([name, value]) => {
    const conflict = conflictOf(deed, known, [name, value]);
    if (conflict.length > 0) return conflict;
    return known.explains(value) ? [] : [`${name} would be “${value}”, which was not shown.`];
  });
}

/** A value under the name of a field that has another one. */
function conflictOf(deed: ApprovedDeed, known: KnownValues, [path, value]: Entry): string[] {
  const name = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const own = [...deed.entries, ...deed.fields].filter(([each]) => each.toLowerCase() === name);
  if (own.length === 0 || own.some(([, each]) => isSameValue(each, value))) return [];
  if (isDrawnByChance(value) || (!/\d/.test(value) && known.has(value))) return [];
  return [`${path} would be “${value}”, and “${own[0]![1]}” was approved.`];
}
