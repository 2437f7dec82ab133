import { useEffect, useState, type ReactNode } from 'react';
import { Screenshot, usePictures } from '../connection/screenshot';
import type { Log } from './events';

interface PicturesProps {
  sessionId: string;
  log: Log;
  isLive: boolean;
  children: ReactNode;
}

/** The pictures that the session has taken, the newest as it comes, and a way back through the others. */
export function Pictures({ sessionId, log, isLive, children }: PicturesProps) {
  const taken = log.shown.pictures;
  const { data: pictures = [], refetch } = usePictures(sessionId);
  useEffect(() => {
    if (taken > 0) void refetch();
  }, [taken, refetch]);
  // Undefined follows the newest.
  const [chosen, setChosen] = useState<number>();
  const at = Math.min(chosen ?? pictures.length - 1, pictures.length - 1);
  const picture = pictures[at];
  if (picture === undefined)
    return (
      <section className="card pictures" aria-label="Pictures">
        <p className="quiet">
          {isLive ? 'The first picture comes with the first page.' : 'This session took no pictures.'}
        </p>
        {children}
      </section>
    );
  const step = picture.stepIndex === undefined ? '' : `Step ${picture.stepIndex + 1}: `;
  return (
    <section className="card pictures" aria-label="Pictures">
      <Screenshot sessionId={sessionId} id={picture.id} alt={`The page after ${step}${picture.actionType}`} />
      <div className="scrub">
        <input
          type="range"
          aria-label="Picture"
          aria-valuetext={`${at + 1} of ${pictures.length}, ${step}${picture.actionType}`}
          min={0}
          max={pictures.length - 1}
          value={at}
          onChange={(event) => {
            const value = Number(event.target.value);
            setChosen(value === pictures.length - 1 ? undefined : value);
          }}
        />
        <span className="quiet">
          {at + 1} of {pictures.length} · {step}
          {picture.actionType}
        </span>
        {chosen !== undefined && <button onClick={() => setChosen(undefined)}>{isLive ? 'Follow' : 'Last'}</button>}
        {children}
      </div>
    </section>
  );
}
