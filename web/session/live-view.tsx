import { useState } from 'react';
import { Problem } from '../elements/problem';
import type { Log } from './events';
import { addressOf, useLive } from './live';
import { Pictures } from './pictures';

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
  return (
    <section className="card pictures" aria-label="Live view">
      {frame !== undefined && (
        <>
          <ul className="tabs" aria-label="Tabs of the session's browser">
            {frame.tabs.map(({ title, url, isActive }, index) => (
              <li key={index} aria-current={isActive ? 'page' : undefined} title={url}>
                {title || url}
              </li>
            ))}
          </ul>
          <img src={addressOf(frame)} alt="The page as it is now" width={frame.width} height={frame.height} />
        </>
      )}
      {note !== undefined && (
        <p className="quiet" role="status">
          {note}
        </p>
      )}
      <Problem error={error} />
      <div className="together">
        <button onClick={onStop}>Stop watching</button>
      </div>
    </section>
  );
}
