import { ClientError } from '../../../service/port/port';
import type { LogRecord } from '../../../contracts/events/log';
import { followWithRetry, retryDuringOutage } from '../../../service/connection/retry-outages';

const record = (seq: number) => ({ seq }) as LogRecord;
const outage = () => new ClientError('unavailable', 'CM002', 'The database does not answer.');

/** A log that breaks off where its script says so; an empty batch list ends it. */
function aLog(...parts: (number[] | Error)[]) {
  const asked: number[] = [];
  return {
    asked,
    async *follow(_sessionId: string, after: number): AsyncGenerator<LogRecord[], void> {
      asked.push(after);
      for (;;) {
        const part = parts.shift();
        if (part === undefined) return;
        if (part instanceof Error) throw part;
        yield part.map(record);
        await Promise.resolve();
      }
    },
  };
}
async function seqsOf(log: ReturnType<typeof aLog>, signal = new AbortController().signal): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of followWithRetry(log, 's', 0, signal)) seqs.push(seq);
  return seqs;
}

test('a log is read on after an outage, from the last record that was seen', async () => {
  const log = aLog([1, 2], outage(), outage(), [3], outage(), [4, 5]);
  expect(await seqsOf(log)).toEqual([1, 2, 3, 4, 5]);
  expect(log.asked).toEqual([0, 2, 2, 3]);
});

test('what is no outage ends the reading', async () => {
  const gone = new ClientError('gone', 'CM001', 'The log is gone.');
  await expect(seqsOf(aLog([1], gone))).rejects.toBe(gone);
});

test('an aborted signal ends the reading without an error', async () => {
  expect(await seqsOf(aLog([1]), AbortSignal.abort())).toEqual([]);
});

test('a call is retried during an outage until it succeeds or its signal aborts', async () => {
  let tries = 0;
  const ask = () => {
    tries += 1;
    return tries < 3 ? Promise.reject(outage()) : Promise.resolve(tries);
  };
  expect(await retryDuringOutage(ask, new AbortController().signal)).toBe(3);
  const never = () => Promise.reject(outage());
  await expect(retryDuringOutage(never, AbortSignal.abort())).rejects.toThrow('The database does not answer.');
});
