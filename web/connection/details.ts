import { useCallback } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../client/http/api-error';
import { client } from './client';

export type Details = Awaited<ReturnType<typeof client.showSession>>;

const REFRESH_MS = 3000;
const OPEN: ReadonlySet<string> = new Set(['INITIALIZING', 'ACTIVE', 'PAUSED']);

export function isOver({ session }: Details): boolean {
  return !OPEN.has(session.status);
}

type Question = Details['approvals'][number];
export type Approval = Extract<Question, { kind: 'approval' }>;

/** The calls that wait for a person. */
export function approvalsOf({ approvals }: Details): Approval[] {
  return approvals.filter((question): question is Approval => question.kind === 'approval');
}

/** All that is known of a session, read again while it is open; nothing once it was erased. */
export function useDetails(sessionId: string) {
  const { data, error } = useQuery({
    queryKey: ['session', sessionId],
    queryFn: () => client.showSession(sessionId),
    refetchInterval: ({ state: { data: known, error: problem } }) =>
      isGone(problem) || (known !== undefined && isOver(known)) ? false : REFRESH_MS,
  });
  return { data: isGone(error) ? undefined : data, error };
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

/** Reads a session and the lists again: something has changed. */
export function useRefresh(): (sessionId: string) => void {
  const queries = useQueryClient();
  return useCallback(
    (sessionId) => {
      for (const queryKey of [['session', sessionId], ['sessions'], ['waiting-count'], ['waiting']])
        void queries.invalidateQueries({ queryKey });
    },
    [queries],
  );
}
