import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from './client';

/** How many sessions wait for a person; undefined until that is known. */
export function useWaitingCount(): number | undefined {
  const { data } = useQuery({
    queryKey: ['waiting-count'],
    queryFn: () => client.listSessions({ waiting: 'true', pageSize: 1 }),
    refetchInterval: 3000,
    // A tab in the background shows it in its title.
    refetchIntervalInBackground: true,
  });
  return data?.pagination.total;
}

/** Names the tab, with the number of sessions that wait for a person before it. */
export function useTitle(name: string): void {
  const waiting = useWaitingCount() ?? 0;
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${name} · Surefoot`;
  }, [name, waiting]);
}

/** Notifies a reader who has asked for it, and looks elsewhere, when one more session waits. */
export function useNotification(waiting: number | undefined): void {
  const before = useRef(waiting);
  useEffect(() => {
    const isMore = waiting !== undefined && before.current !== undefined && waiting > before.current;
    before.current = waiting;
    if (!isMore || !document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
    const notification = new Notification('A session waits for you', {
      tag: 'surefoot-waiting',
      body: `${waiting} in all`,
    });
    notification.addEventListener('click', () => {
      window.focus();
      window.location.assign('/waiting');
    });
  }, [waiting]);
}
