import { useRef, useState } from 'react';
import { useSignIn } from '../connection/sign-in';
import { Problem } from '../elements/problem';
import type { Log } from './events';
import { addressOf, useLive } from './live';
import { InputLayer } from './input-layer';
import { Pictures } from './pictures';
import { TakeoverAsk } from './takeover-ask';
import { useTakeover, type OwnTakeover } from './takeover';

/** What the session shows: its pictures, or, where somebody wants to watch, its page as it is now. */
export function View({ sessionId, log, isLive }: { sessionId: string; log: Log; isLive: boolean }) {
  const [isWatching, setWatching] = useState(false);
  if (isWatching && isLive) return <LiveView sessionId={sessionId} onStop={() => setWatching(false)} />;
  return (
    <Pictures sessionId={sessionId} log={log} isLive={isLive}>
      {isLive && <button onClick={() => setWatching(true)}>Watch live</button>}
    </Pictures>
  );
}

function LiveView({ sessionId, onStop }: { sessionId: string; onStop: () => void }) {
  const { frame, note, error } = useLive(sessionId);
  const takeover = useTakeover(sessionId);
  const { state, asks, act } = takeover;
  const isHeld = asks?.kind === 'dialog' && asks.accepted === undefined;
  const page = useRef<HTMLDivElement>(null);
  const focusPage = (): void => page.current?.querySelector('textarea')?.focus();
  return (
    <section className="card pictures" aria-label="Live view">
      {frame !== undefined && (
        <>
          <ul className="tabs" aria-label="Tabs of the session's browser" tabIndex={0}>
            {frame.tabs.map(({ title, url, isActive }, index) => (
              <li key={index} aria-current={isActive ? 'page' : undefined} title={url}>
                {state === 'open' ? (
                  <button onClick={() => act({ kind: 'tab', tab: index + 1 })}>{title || url}</button>
                ) : (
                  title || url
                )}
              </li>
            ))}
          </ul>
          <div className="live-page" ref={page}>
            <img src={addressOf(frame)} alt="The page as it is now" width={frame.width} height={frame.height} />
            {state === 'open' && !isHeld && <InputLayer frame={frame} act={act} />}
          </div>
          {asks !== undefined && <TakeoverAsk asks={asks} act={act} onLeave={focusPage} />}
        </>
      )}
      {note !== undefined && (
        <p className="quiet" role="status">
          {note}
        </p>
      )}
      <Problem error={error} />
      <Problem error={takeover.error} />
      <TakeoverButtons takeover={takeover} mayCopy={state === 'open' && !isHeld} onStop={onStop} />
    </section>
  );
}

const STATES = {
  requested: 'The session is paused after its command under way…',
  open: 'You have the browser. Click into the page and type; the session waits.',
  ending: 'The page is kept, then the session goes on…',
  ended: 'The session goes on.',
};

interface ButtonProps {
  takeover: OwnTakeover;
  mayCopy: boolean;
  onStop: () => void;
}

function TakeoverButtons({ takeover, mayCopy, onStop }: ButtonProps) {
  const { state, act, begin, handBack } = takeover;
  const mayAct = useSignIn()?.state === 'signed-in';
  const isMine = state !== undefined && state !== 'ended';
  return (
    <>
      {isMine && <p role="status">{STATES[state]}</p>}
      <div className="together">
        {isMine ? (
          <>
            <button className="primary" disabled={state === 'ending'} onClick={handBack}>
              Hand back
            </button>
            {mayCopy && <button onClick={() => act({ kind: 'key', key: 'Control+C' })}>Copy what is selected</button>}
          </>
        ) : (
          <>
            <button disabled={!mayAct} onClick={begin}>
              Take over
            </button>
            <button onClick={onStop}>Stop watching</button>
          </>
        )}
      </div>
    </>
  );
}
