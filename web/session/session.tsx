import { useEffect } from 'react';
import { Link } from 'wouter';
import { Questions } from '../answers/questions';
import { isOver, useDetails, useRefresh } from '../connection/details';
import { useTitle } from '../connection/waiting';
import { Problem } from '../elements/problem';
import { Controls } from './controls';
import { useLog } from './events';
import { Recording, WithFilm } from './film';
import { Fork } from './fork';
import { Head } from './head';
import { Outcome } from './outcome';
import { Limits } from './limits';
import { ModelCalls } from './model-calls';
import { View } from './live-view';
import { Timeline } from './timeline';

/** One session: what it asks, what it shows, what happened and what came of it. */
export function Session({ id }: { id: string }) {
  const { data: details, error } = useDetails(id);
  const log = useLog(id);
  const refresh = useRefresh();
  const { changedAt } = log.shown;
  useEffect(() => {
    if (changedAt > 0) refresh(id);
  }, [changedAt, id, refresh]);
  useTitle(details?.title ?? 'Session');
  if (details === undefined)
    return (
      <>
        <Problem error={error} />
        {error === null ? <p className="quiet">Loading…</p> : <Link href="/">All sessions</Link>}
      </>
    );
  return (
    <>
      <Head details={details} />
      <Problem error={error ?? (log.isComplete ? null : log.error)} />
      <Questions details={details} />
      {isOver(details) ? (
        <div className="controls">
          <Fork details={details} />
        </div>
      ) : (
        <Controls details={details} />
      )}
      <WithFilm details={details}>
        <div className="session-body">
          <div className="session-pictures">
            <View sessionId={id} log={log} isLive={!isOver(details)} />
            <Recording />
          </div>
          <Timeline details={details} log={log} />
          <div className="session-outcome">
            <Outcome details={details} log={log} />
            <ModelCalls sessionId={id} />
            <Limits details={details} />
          </div>
        </div>
      </WithFilm>
    </>
  );
}
