import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { client } from './client';

/** How many sessions wait for a person. The title of the tab says it too. */
export function useWaitingCount(): number {
  const { data } = useQuery({
    queryKey: ['waiting-count'],
    queryFn: () => client.listSessions({ waiting: 'true', pageSize: 1 }),
    refetchInterval: 3000,
    refetchIntervalInBackground: true,
  });
  return data?.pagination.total ?? 0;
}

/** Names the tab, with the number of sessions that wait for a person before it. */
export function useTitle(name: string, waiting: number): void {
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${name} · Surefoot`;
  }, [name, waiting]);
}
