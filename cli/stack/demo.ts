import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionDetails } from '../../service/port/port';
import type { StackFile } from '../../runtime/settings/stack-file';
import { EXIT, type ExitCode } from '../context/exit';
import { EXIT_OF_END } from '../follow/exit-of-end';
import { followSession } from '../follow/follow-session';
import { sessionLinks } from '../render/links';
import { sendOnce } from '../context/receipt';
import { withServices, type Services } from '../context/services';
import { headline, withStatus, variableLines } from '../render/session-text';
import { toPairs } from '../terminal/table';
import { apiPairs, type RunningStack } from './local-stack';
import type { Terminal } from '../terminal/terminal';
import { asCalled } from '../terminal/as-called';
import { offerPage } from './offer-page';

const CANCEL_WITHIN_MS = 3000;

type Addresses = Omit<StackFile, 'supervisorPid'>;

/** Runs the demo session against the shop of the stack, follows it and prints a summary. */
export async function runDemo({ settings, addresses, terminal, interrupt }: RunningStack): Promise<ExitCode> {
  return await withServices(
    'acting',
    async (services) => {
      const before = await countOrders(addresses.shop);
      const { sessionId, totalSteps } = await sendOnce((keyed) =>
        services.sessions.start(demoRequest(addresses.shop), keyed),
      );
      const [view] = viewOf(addresses.page, sessionId).map(([, where]) => where);
      const watch = view === undefined ? [] : [`Watch it at ${view}`];
      const hint = `The demo session buys a shoe. Kill any process of ${asCalled('ps')} meanwhile: it goes on.`;
      for (const line of ['', ...watch, hint]) terminal.print(line);
      offerPage(view, { terminal, signal: interrupt.signal });
      terminal.print('');
      const ended = await followSession(services.sessions, sessionId, terminal, {
        after: 0,
        isDetailed: false,
        interrupt: interrupt.signal,
        totalSteps,
      });
      if (ended === 'interrupted') {
        await endDemo(services, sessionId, terminal);
        return EXIT.interrupted;
      }
      const orders = await countOrders(addresses.shop);
      const counted = orders === undefined || before === undefined ? undefined : orders - before;
      printSummary(terminal, services, addresses, await services.sessions.get(sessionId), counted);
      return EXIT_OF_END[ended];
    },
    settings,
  );
}

/** Returns the sample session with the address of the running shop. */
function demoRequest(shop: string | undefined): unknown {
  const file = join(__dirname, '..', '..', 'examples', 'demo-session.json');
  const request = JSON.parse(readFileSync(file, 'utf8')) as { variables: Record<string, unknown> };
  return { ...request, variables: { ...request.variables, ...(shop === undefined ? {} : { shop }) } };
}

/** The view of the session on the page, with the key that lets it act; nothing where there is no page. */
function viewOf(page: string | undefined, sessionId: string): [name: string, where: string][] {
  if (page === undefined) return [];
  const [api, key] = page.split('/#');
  return [['page', `${api}/sessions/${sessionId}${key === undefined ? '' : `#${key}`}`]];
}

/** Resolves to undefined when the shop does not answer; the summary omits the count then. */
async function countOrders(shop: string | undefined): Promise<number | undefined> {
  try {
    const answer = await fetch(`${shop}/admin/orders`, { signal: AbortSignal.timeout(CANCEL_WITHIN_MS) });
    const { count } = (await answer.json()) as { count: number };
    return count;
  } catch {
    return undefined;
  }
}

/** Cancels an interrupted demo; otherwise it would resume beside the next one. */
async function endDemo({ sessions }: Services, sessionId: string, terminal: Terminal): Promise<void> {
  try {
    await Promise.race([sessions.cancel(sessionId), sleep(CANCEL_WITHIN_MS, undefined, { ref: false })]);
    terminal.printError(`Interrupted; the demo session ${sessionId} was cancelled.`);
  } catch {
    terminal.printError(`Interrupted; the demo session ${sessionId} goes on when the stack is started again.`);
  }
}

function printSummary(
  terminal: Terminal,
  { settings }: Services,
  addresses: Addresses,
  details: SessionDetails,
  orders: number | undefined,
): void {
  const { session, variables, workflowId } = details;
  const saved = variableLines(variables.filter(({ source }) => source !== 'user_input'));
  const { sessionId } = session;
  const links = new Map([
    ['result', headline(details)],
    ['saved', saved.length === 0 ? 'nothing' : saved.join(', ')],
    ...(orders === undefined ? [] : ([['orders', `${orders} counted by the shop`]] as const)),
    ...viewOf(addresses.page, sessionId),
    ...sessionLinks(settings, { sessionId, workflowId }),
    ...apiPairs(addresses.api),
    ...(addresses.shop === undefined ? [] : ([['shop', addresses.shop]] as const)),
  ]);
  const [result = '', ...others] = toPairs([...links]);
  terminal.printBlock([withStatus(result, session.status), ...others]);
}
