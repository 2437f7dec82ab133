import { useCallback, useEffect, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PersonAct } from '../../contracts/browsers/takeover';
import { randomKey } from '../../client/http/random-key';
import { useRefresh } from '../connection/details';
import { client } from '../connection/client';

const POLL_MS = 1000;
/** So soon the page is seen to ask something, for a moment after an act. */
const ASKED_POLL_MS = 250;
const ASKS_WITHIN_MS = 5000;

type Takeover = Awaited<ReturnType<typeof client.takeOver>>;

/** The takeover that this page has begun, until it has ended. */
export interface OwnTakeover {
  state: Takeover['state'] | undefined;
  error: unknown;
  /** What the page asks the person. */
  asks: Takeover['asks'];
  begin: () => void;
  /** Sends what the person does, after all that was sent before. */
  act: (act: PersonAct) => void;
  handBack: () => void;
}

/** Takes the browser of a session over, and sends what the person does, in order and each once. */
export function useTakeover(sessionId: string): OwnTakeover {
  const queries = useQueryClient();
  const refresh = useRefresh();
  const [takeoverId, setTakeoverId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const number = useRef(0);
  const actedAt = useRef(-Infinity);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const key = ['takeover', sessionId, takeoverId];
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => client.showTakeover(sessionId),
    enabled: takeoverId !== undefined,
    refetchInterval: () => (performance.now() - actedAt.current < ASKS_WITHIN_MS ? ASKED_POLL_MS : POLL_MS),
  });
  const state = data?.takeoverId === takeoverId ? data?.state : undefined;

  const send = useCallback(
    (request: () => Promise<Takeover>) => {
      sending.current = sending.current.then(async () => {
        try {
          const takeover = await request();
          queries.setQueryData(['takeover', sessionId, takeover.takeoverId], takeover);
          setError(undefined);
        } catch (problem) {
          setError(problem);
        }
      });
    },
    [queries, sessionId],
  );
  useEffect(() => {
    if (state !== undefined) refresh(sessionId);
    if (state === 'ended') setTakeoverId(undefined);
  }, [state, refresh, sessionId]);

  return {
    state,
    error,
    asks: state === 'open' ? data?.asks : undefined,
    begin() {
      const id = randomKey();
      number.current = 0;
      setTakeoverId(id);
      send(() => client.takeOver(sessionId, { takeoverId: id, by: 'web page' }));
    },
    act(act) {
      if (takeoverId === undefined) return;
      number.current += 1;
      if (act.kind !== 'hover' && act.kind !== 'wheel') actedAt.current = performance.now();
      const acts = [{ number: number.current, act }];
      send(() => client.takeoverInput(sessionId, { takeoverId, acts }));
    },
    handBack() {
      if (takeoverId !== undefined) send(() => client.handBack(sessionId, { takeoverId }));
    },
  };
}
