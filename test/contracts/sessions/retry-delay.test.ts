import { DEFAULT_TIMEOUT_CONFIG, retryDelayMs } from '../../../contracts/sessions/timeouts';

test.each<[exponentialBackoff: boolean, base: number, delays: number[]]>([
  [true, 1000, [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
  [false, 1000, [1000, 1000, 1000]],
  [false, 60_000, [30_000]],
  [true, 0, [0, 0]],
])('[S1.A13] with backoff %s and a delay of %i ms the retries wait %j', (exponentialBackoff, base, delays) => {
  const timeouts = { ...DEFAULT_TIMEOUT_CONFIG, exponentialBackoff, retryDelayMs: base };
  expect(delays.map((_, index) => retryDelayMs(timeouts, index + 1))).toEqual(delays);
});
