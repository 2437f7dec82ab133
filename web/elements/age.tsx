import { timeText, useFrozen } from './frozen';
import { useNow } from './now';

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** `4 s`, `12 min`, `3 h`, `9 d`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  for (const [size, name] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  return `${seconds} s`;
}

/** How long ago something was; the time itself, in the reader's zone, on hover. */
export function Age({ since }: { since: string | Date }) {
  const now = useNow();
  const at = new Date(since);
  return (
    <time dateTime={at.toISOString()} title={at.toLocaleString()}>
      {durationText(now - at.getTime())}
    </time>
  );
}

/** `started 4 min ago`, or the time itself where nothing passes any more. */
export function Since({ what, at }: { what: string; at: string | Date }) {
  if (useFrozen() !== undefined)
    return (
      <>
        {what} {timeText(at)}
      </>
    );
  return (
    <>
      {what} <Age since={at} /> ago
    </>
  );
}

/** `begins in 3 h (28/11/2026, 03:00:00)`, or the time alone where nothing passes any more. */
export function Until({ what, at }: { what: string; at: string | Date }) {
  if (useFrozen() !== undefined)
    return (
      <>
        {what} {timeText(at)}
      </>
    );
  return (
    <>
      {what} <TimeLeft until={at} />
    </>
  );
}

/** `in 3 h (28/11/2026, 03:00:00)`, in the reader's zone. */
export function TimeLeft({ until }: { until: string | Date }) {
  const leftMs = new Date(until).getTime() - useNow();
  return (
    <time dateTime={new Date(until).toISOString()}>
      {leftMs <= 0 ? 'now' : `in ${durationText(leftMs)}`} ({new Date(until).toLocaleString()})
    </time>
  );
}
