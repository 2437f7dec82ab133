import type { ListedSession } from '../../contracts/sessions/session-list';

type Status = ListedSession['status'];
type WaitsFor = NonNullable<ListedSession['waitsFor']>;

const STATUS: Record<Status, { text: string; tone: string }> = {
  INITIALIZING: { text: 'Starting', tone: 'running' },
  ACTIVE: { text: 'Running', tone: 'running' },
  PAUSED: { text: 'Paused', tone: 'waiting' },
  COMPLETED: { text: 'Completed', tone: 'good' },
  FAILED: { text: 'Failed', tone: 'bad' },
  CANCELLED: { text: 'Cancelled', tone: 'quiet' },
  CLEANUP: { text: 'Removed', tone: 'quiet' },
};

const WAITS_FOR: Record<WaitsFor, string> = {
  approval: 'Needs your approval',
  'unknown-outcome': 'Did it happen?',
  secret: 'Needs a code or link',
  budget: 'Budget used up',
  message: 'Waits for a message',
  'rolled-back-store': 'Needs a look',
};

interface Shown {
  status: Status;
  waitsFor?: WaitsFor | undefined;
  /** It waits on its page. */
  isAsleep?: boolean | undefined;
}

/** The status of a session, or what a person is asked for, which is more important. */
export function StatusBadge({ status, waitsFor, isAsleep = false }: Shown) {
  const { text, tone } = STATUS[status];
  if (waitsFor !== undefined) return <span className="badge asked">{WAITS_FOR[waitsFor]}</span>;
  if (isAsleep && status === 'ACTIVE') return <span className="badge waiting">Waits on its page</span>;
  return <span className={`badge ${tone}`}>{text}</span>;
}
