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
