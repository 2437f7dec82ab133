import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useRef, type ReactNode, type RefObject } from 'react';
import { filmMoment, type ReadFilm } from '../../contracts/files/film';
import { client } from '../connection/client';
import { isOver, type Details } from '../connection/details';
import { useFrozen } from '../elements/frozen';

/** The recording of the session that is shown. */
interface Shown {
  film: ReadFilm;
  address: string;
  player: RefObject<HTMLVideoElement | null>;
}

const ShownContext = createContext<Shown | undefined>(undefined);

/** What the session has stored; the recording among it is there once the session is over. */
export function useFiles(details: Details) {
  const { sessionId } = details.session;
  const { data = [] } = useQuery({
    queryKey: ['files', sessionId, isOver(details)],
    queryFn: () => client.listFiles(sessionId),
  });
  return data;
}

/** Lets what is inside show moments of the recording, if there is one. */
export function WithFilm({ details, children }: { details: Details; children: ReactNode }) {
  const player = useRef<HTMLVideoElement>(null);
  const frozen = useFrozen();
  const file = useFiles(details).find(({ source }) => source === 'recording');
  const address = `/v1/sessions/${details.session.sessionId}/files/${encodeURIComponent(file?.fileId ?? '')}`;
  const recording = frozen === undefined ? file?.film && { film: file.film, address } : frozen.recording;
  return <ShownContext value={recording && { ...recording, player }}>{children}</ShownContext>;
}

/** Plays the recording. */
export function Recording() {
  const shown = useContext(ShownContext);
  if (shown === undefined) return null;
  return (
    <section className="card recording" aria-label="Recording">
      <h2>Recording</h2>
      <video
        ref={shown.player}
        src={shown.address}
        controls
        muted
        playsInline
        preload="metadata"
        aria-label="What the browser showed while the session acted"
      />
      <p className="quiet">What stands still is shortened to three seconds.</p>
    </section>
  );
}

/** Leads to the frame that shows the page after what ended then. */
export function Moment({ endedAt }: { endedAt: Date }) {
  const shown = useContext(ShownContext);
  const frozen = useFrozen();
  if (shown === undefined) return null;
  const seconds = filmMoment(shown.film, endedAt) / 1000;
  const text = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  if (frozen !== undefined) return <span className="quiet moment">{text} in the recording</span>;
  return (
    <button
      className="moment"
      aria-label={`Show ${text} in the recording`}
      onClick={() => {
        const video = shown.player.current!;
        video.pause();
        // A moment into the frame: a player may round its beginning down to the one before.
        video.currentTime = seconds + 0.01;
        video.scrollIntoView({ block: 'nearest' });
      }}
    >
      ▶ {text}
    </button>
  );
}
