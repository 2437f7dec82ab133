import { useSearchParams } from 'wouter';
import type { SessionFilter, SessionSort } from '../../contracts/sessions/session-list';

/** The choices of the list by the names that stand in the address. */
export const SHOWN: Record<string, { label: string; filter: Pick<SessionFilter, 'status' | 'waiting'> }> = {
  all: { label: 'All', filter: {} },
  waiting: { label: 'Waits for a person', filter: { waiting: 'true' } },
  open: { label: 'Open', filter: { status: ['INITIALIZING', 'ACTIVE', 'PAUSED'] as SessionFilter['status'] } },
  completed: { label: 'Completed', filter: { status: ['COMPLETED'] as SessionFilter['status'] } },
  failed: { label: 'Failed', filter: { status: ['FAILED'] as SessionFilter['status'] } },
  cancelled: { label: 'Cancelled', filter: { status: ['CANCELLED'] as SessionFilter['status'] } },
};

export const SORTS: Record<SessionSort, string> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  '-lastActivity': 'Latest activity first',
  lastActivity: 'Quiet longest first',
  name: 'By name, A to Z',
  '-name': 'By name, Z to A',
};

const DEFAULTS = { show: 'all', sort: '-createdAt', q: '' } as const;
type Choice = keyof typeof DEFAULTS;

/** Filter, order and search of the list: they live in the address, and what is usual is left out of it. */
export function useSessionFilter() {
  const [params, setParams] = useSearchParams();
  const read = (name: Choice): string => params.get(name) ?? DEFAULTS[name];
  const show = read('show') in SHOWN ? read('show') : DEFAULTS.show;
  const sort = read('sort') in SORTS ? (read('sort') as SessionSort) : DEFAULTS.sort;
  const q = read('q');
  const choose = (name: Choice, value: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === DEFAULTS[name]) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: name === 'q' },
    );
  const filter: SessionFilter = { ...SHOWN[show]!.filter, sort, ...(q.trim() === '' ? {} : { q: q.trim() }) };
  return { show, sort, q, choose, filter };
}
