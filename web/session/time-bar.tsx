import { durationText } from '../elements/age';
import { useFrozen } from '../elements/frozen';
import { useNow } from '../elements/now';
import { PHASES, type Phase, type Times } from './phases';

const NAME: Record<Phase, string> = {
  model: 'model',
  browser: 'browser',
  tools: 'tools',
  people: 'waiting for people',
  paused: 'paused',
  queued: 'waiting for its turn',
  engine: 'everything else',
};

/** Where the time went. */
export function TimeBar({ times, isOver }: { times: Times; isOver: boolean }) {
  return useFrozen() !== undefined || isOver ? <Bar spentMs={times.spentMs} /> : <Growing times={times} />;
}

/** What is waited for or runs now takes its time too. */
function Growing({ times: { spentMs, at, waits, runs } }: { times: Times }) {
  const now = useNow();
  const phase = waits ?? runs;
  if (phase === undefined || at === undefined) return <Bar spentMs={spentMs} />;
  return <Bar spentMs={{ ...spentMs, [phase]: spentMs[phase] + Math.max(0, now - at.getTime()) }} />;
}

function Bar({ spentMs }: { spentMs: Record<Phase, number> }) {
  const total = PHASES.reduce((sum, phase) => sum + spentMs[phase], 0);
  if (total === 0) return null;
  const shown = PHASES.filter((phase) => spentMs[phase] > 0);
  const startOf = (phase: Phase): number =>
    shown.slice(0, shown.indexOf(phase)).reduce((sum, each) => sum + spentMs[each], 0);
  return (
    <div className="time-bar">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {shown.map((phase) => (
          <rect
            key={phase}
            className={phase}
            x={(startOf(phase) / total) * 1000}
            width={(spentMs[phase] / total) * 1000}
            height="10"
          />
        ))}
      </svg>
      <ul aria-label="Where the time went">
        {shown.map((phase) => (
          <li key={phase}>
            <svg className="key" viewBox="0 0 10 10" aria-hidden="true">
              <rect className={phase} width="10" height="10" />
            </svg>
            {NAME[phase]} <span className="quiet">{timeText(spentMs[phase])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function timeText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(ms);
}
