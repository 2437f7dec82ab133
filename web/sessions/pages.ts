import { keepPreviousData, useQueries } from '@tanstack/react-query';
import type { SessionFilter } from '../../contracts/sessions/session-list';
import { client } from '../connection/client';

export const PAGE_SIZE = 100;
const REFRESH_MS = 2000;

type Page = Awaited<ReturnType<typeof client.listSessions>>;
export type Row = NonNullable<Page['data']>[number];

/** Reads the pages that are on the screen, from 0, and reads them again while they are. */
export function useSessionPages(filter: SessionFilter, pages: readonly number[]) {
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['sessions', filter, page] as const,
      queryFn: () => client.listSessions({ ...filter, page: page + 1, pageSize: PAGE_SIZE }),
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    })),
  });
  const rows = new Map<number, Row>();
  for (const [at, { data }] of results.entries())
    for (const [index, row] of (data?.data ?? []).entries()) rows.set(pages[at]! * PAGE_SIZE + index, row);
  // An answer to an earlier filter stays on the screen until the new one is there, and has another total.
  const answer = results.find(({ data, isPlaceholderData }) => data !== undefined && !isPlaceholderData);
  return {
    total: answer?.data?.pagination.total,
    /** When the total was read. */
    readAt: answer?.dataUpdatedAt ?? 0,
    row: (index: number): Row | undefined => rows.get(index),
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}
