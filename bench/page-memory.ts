import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type CDPSession } from 'playwright';
import { createApiClient } from '../client/http/api-client';
import { wholeNumber } from './chaos/options';
import { openHarness } from './harness/harness';
import { printTable, type Row } from './harness/statistics';
import { thought } from './web-page';

const EVENTS_A_SECOND = 10;
const SAMPLES = 6;
/** A line that is shown, with its words; what the event held besides is not kept. */
const MOST_BYTES_AN_EVENT = 1000;

interface Sample {
  events: number;
  heapBytes: number;
  nodes: number;
}

/**
 * Measures the memory of the view of a session whose log grows all the time, after a garbage collection: the first sample
 * is taken once the newest lines fill the view.
 */
export async function measurePageMemory(args: string[]): Promise<boolean> {
  const { minutes } = parseArgs({ args, options: { minutes: { type: 'string', default: '30' } } }).values;
  const forMs = wholeNumber('--minutes', minutes, 1) * 60_000;
  const harness = await openHarness();
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: harness.chromium, args: ['--no-sandbox'] });
    const { sessionId } = await harness.sessions.start({ steps: ['Wait 50 seconds'] });
    await createApiClient(harness.api).pauseSession(sessionId);
    const page = await browser.newPage();
    await page.goto(`${harness.api}/sessions/${sessionId}`);
    const devTools = await page.context().newCDPSession(page);
    const samples: Sample[] = [];
    const startedAt = performance.now();
    for (let events = 0; samples.length < SAMPLES;) {
      await harness.store.log.append(sessionId, [thought((events += 1))]);
      const sinceMs = performance.now() - startedAt;
      await sleep(Math.max(0, (events * 1000) / EVENTS_A_SECOND - sinceMs));
      if (sinceMs < (forMs * (samples.length + 1)) / SAMPLES) continue;
      await page.getByText(`Number ${events}: `).waitFor();
      samples.push({ events, ...(await memoryOf(devTools)) });
    }
    const rows = samples.map(({ events, heapBytes, nodes }): Row => ({
      what: `after ${events} events`,
      measured: `${(heapBytes / 1e6).toFixed(1)} MB of heap`,
      compared: `${nodes} nodes`,
    }));
    printTable(`A session with ${EVENTS_A_SECOND} events a second, for ${minutes} minutes`, rows);
    const [first, last] = [samples[0]!, samples.at(-1)!];
    const bytesAnEvent = (last.heapBytes - first.heapBytes) / (last.events - first.events);
    console.log(`${Math.round(bytesAnEvent)} bytes an event (limit: ${MOST_BYTES_AN_EVENT})`);
    return bytesAnEvent < MOST_BYTES_AN_EVENT && last.nodes < first.nodes * 1.1;
  } finally {
    await browser?.close();
    await harness.stop();
  }
}

async function memoryOf(devTools: CDPSession): Promise<Pick<Sample, 'heapBytes' | 'nodes'>> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  const { nodes } = await devTools.send('Memory.getDOMCounters');
  return { heapBytes: usedSize, nodes };
}
