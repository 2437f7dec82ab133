import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { PictureBeforeSchema } from '../../contracts/files/picture-box';
import type { ScreenshotInfo } from '../../contracts/sessions/resources';
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
  const { data, refetch } = usePictures(sessionId);
  const pictures = useMemo(() => (data ?? []).flatMap(framesOf), [data]);
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
  const when = picture.target === undefined ? 'after' : 'before';
  return (
    <section className="card pictures" aria-label="Pictures">
      <Screenshot
        sessionId={sessionId}
        id={picture.id}
        alt={`The page ${when} ${step}${picture.actionType}`}
        target={picture.target}
      />
      <div className="scrub">
        <input
          type="range"
          aria-label="Picture"
          aria-valuetext={`${at + 1} of ${pictures.length}, ${when} ${step}${picture.actionType}`}
          min={0}
          max={pictures.length - 1}
          value={at}
          onChange={(event) => {
            const value = Number(event.target.value);
            setChosen(value === pictures.length - 1 ? undefined : value);
          }}
        />
        <span className="quiet">
          {at + 1} of {pictures.length} · {when} {step}
          {picture.actionType}
        </span>
        {chosen !== undefined && <button onClick={() => setChosen(undefined)}>{isLive ? 'Follow' : 'Last'}</button>}
        {children}
      </div>
    </section>
  );
}

/** A command that led to another page has two: the page that it left, with what it acted on, and the one after it. */
function framesOf({
  id,
  stepIndex,
  actionType,
  metadata,
}: Pick<ScreenshotInfo, 'id' | 'stepIndex' | 'actionType' | 'metadata'>) {
  const { data: before } = PictureBeforeSchema.safeParse(metadata?.['before']);
  const after = { id, stepIndex, actionType, target: undefined };
  return before === undefined ? [after] : [{ ...after, ...before }, after];
}
