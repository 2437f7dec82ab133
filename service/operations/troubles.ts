import type { Operations, Trouble } from '../../contracts/modules/operations';

type Figures = Omit<Operations, 'troubles'>;

const DAY_MS = 86_400_000;
/** A session that waits for less is only next. */
const LONG_WAIT_MS = 60_000;
const LONG_PLACE_MS = 10_000;
/** Engine workers sweep each hour. */
const LATE_SWEEP_MS = DAY_MS;

/** Names what is wrong, and says of each what to do; the worst first. */
export function findTroubles(figures: Figures): Trouble[] {
  const found = [
    ...processTroubles(figures),
    ...browserTroubles(figures),
    ...modelTroubles(figures),
    ...others(figures),
  ];
  return found.sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
}

function processTroubles({ processes, hosts }: Figures): Trouble[] {
  const runs = (role: string): boolean => processes.some((process) => process.role === role);
  const found: Trouble[] = [];
  if (!runs('engine'))
    found.push({
      kind: 'no-engine-worker',
      severity: 'bad',
      message: 'No engine worker runs, so no session goes on.',
      action: 'Start one: surefoot worker --role engine. If one should run, its log says why it has ended.',
    });
  if (!runs('browser'))
    found.push({
      kind: 'no-browser-worker',
      severity: 'bad',
      message: 'No browser worker runs, so no session gets a browser.',
      action: 'Start one on a browser host: surefoot worker --role host.',
    });
  if (!hosts.some(({ reports }) => reports))
    found.push({
      kind: 'no-host',
      severity: 'bad',
      message: hosts.length === 0 ? 'No host has ever reported.' : 'No host reports any more.',
      action: 'Start a keeper: surefoot worker --role host. Then surefoot doctor says what is missing.',
    });
  else
    for (const { hostId, silentForMs } of hosts.filter((host) => !host.reports && host.silentForMs < DAY_MS))
      found.push({
        kind: 'host-silent',
        severity: 'warning',
        message: `The host ${hostId} has been silent for ${timeText(silentForMs)}. Its sessions go on elsewhere.`,
        action: 'Start its keeper again, or leave it: after a day it is named here no more.',
      });
  const versions = [...new Set(processes.map(({ version }) => version))];
  if (versions.length > 1)
    found.push({
      kind: 'versions-differ',
      severity: 'warning',
      message: `Processes of the versions ${versions.join(' and ')} run.`,
      action: 'Finish the upgrade; docs/upgrades.md has the order in which processes are replaced.',
    });
  return found;
}

function browserTroubles({ hosts, queue: { waiting, longestWaitMs } }: Figures): Trouble[] {
  if (waiting === 0) return [];
  const up = hosts.filter(({ reports }) => reports);
  const capacity = up.reduce((sum, host) => sum + host.capacity, 0);
  const browsers = up.reduce((sum, host) => sum + host.browsers, 0);
  const who = `${counted(waiting, 'session waits', 'sessions wait')} for a browser, the longest for ${timeText(longestWaitMs)}`;
  if (capacity > 0 && browsers >= capacity)
    return [
      {
        kind: 'browsers-used-up',
        severity: 'warning',
        message: `${who}: all ${capacity} browsers are in use.`,
        action:
          'They get one as others end. Add a host, raise SUREFOOT_MAX_BROWSERS where memory allows, or cancel what is not needed.',
        path: '/?show=open&sort=lastActivity',
      },
    ];
  if (longestWaitMs < LONG_WAIT_MS || capacity === 0) return [];
  return [
    {
      kind: 'queue-stands',
      severity: 'bad',
      message: `${who}, although ${capacity - browsers} of ${capacity} browsers are free.`,
      action: 'Look into the logs of keepers and browser workers, and run surefoot doctor on each host.',
    },
  ];
}

function modelTroubles({ models, rates, limits }: Figures): Trouble[] {
  const open = models.flatMap(({ model, state, failures, openUntil }): Trouble[] =>
    state !== 'open' || openUntil === undefined
      ? []
      : [
          {
            kind: 'breaker-open',
            severity: 'warning',
            message: `The breaker of ${model} is open after ${counted(failures, 'outage', 'outages')}: it is called again in ${timeText(openUntil.getTime() - Date.now())}.`,
            action:
              'Sessions wait and go on by themselves. Look at the status page of the vendor, and name further models in SUREFOOT_MODEL.',
          },
        ],
  );
  const held = rates.filter(({ lastPlaceInMs = 0 }) => lastPlaceInMs >= LONG_PLACE_MS);
  return [
    ...open,
    ...held.map(({ waiting, lastPlaceInMs = 0, calls }): Trouble => ({
      kind: 'rate-limit',
      severity: 'warning',
      message: `${counted(waiting, 'call of a model waits', 'calls of models wait')} for the rate limit of a key, the last one for ${timeText(lastPlaceInMs)}; ${calls} were made in the last minute.`,
      action: `Raise ${limits.tokensPerMinute > 0 ? 'SUREFOOT_MODEL_REQUESTS_PER_MINUTE or SUREFOOT_MODEL_TOKENS_PER_MINUTE' : 'SUREFOOT_MODEL_REQUESTS_PER_MINUTE'} if the vendor gives more, or start fewer sessions at once.`,
    })),
  ];
}

function others({ sessions: { waitingForPerson, webhooksFailed }, retention }: Figures): Trouble[] {
  const found: Trouble[] = [];
  const held = waitingForPerson.find(({ waitsFor }) => waitsFor === 'rolled-back-store')?.count ?? 0;
  if (held > 0)
    found.push({
      kind: 'store-rolled-back',
      severity: 'bad',
      message: `The database has forgotten what ${counted(held, 'session has', 'sessions have')} done.`,
      action: 'Look at the site, then say in each session what has happened; docs/operations.md says how.',
      path: '/waiting',
    });
  const asked = waitingForPerson.reduce((sum, { count }) => sum + count, 0) - held;
  if (asked > 0)
    found.push({
      kind: 'person-needed',
      severity: 'warning',
      message: `${counted(asked, 'session waits', 'sessions wait')} for a person.`,
      action: 'Answer there.',
      path: '/waiting',
    });
  if (webhooksFailed > 0)
    found.push({
      kind: 'webhooks-failed',
      severity: 'warning',
      message: `${counted(webhooksFailed, 'report by webhook or mail was', 'reports by webhook or mail were')} not taken by the receiver.`,
      action: 'surefoot show ID says why. docs/webhooks.md says what the receiver has to answer.',
    });
  const { oldestLogEndedAt, sessionDays } = retention;
  const lateMs = oldestLogEndedAt === undefined ? 0 : Date.now() - oldestLogEndedAt.getTime() - sessionDays * DAY_MS;
  if (lateMs > LATE_SWEEP_MS)
    found.push({
      kind: 'retention-late',
      severity: 'warning',
      message: `Logs that were to go after ${counted(sessionDays, 'day', 'days')} are still kept, the oldest ${timeText(lateMs)} too long.`,
      action: 'Engine workers remove them: look for “retention failed” in their logs.',
    });
  return found;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function timeText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
