import { randomUUID } from 'node:crypto';
import type { EvidenceLog } from '../evidence/evidence-log';
import type { WayOut } from '../egress/egress';
import { epochRefused, noSuchBrowser, notInThisBrowser, notLeaseHolder } from '../host/refusals';
import { startServer, type ServerStart } from '../playwright/server-process';
import type { Egress } from '../egress/egress';
import type { KeptBrowser } from './kept-browser';

const PAGE_LOST = 'Its worker has gone, and the pages of this browser go with its worker';

interface LaunchedStart extends Omit<ServerStart, 'proxyPort'> {
  egress: Egress;
  evidence: EvidenceLog;
}

/** Starts a browser by Playwright's own launch, behind a way out of its own. */
export async function launchBrowser({ egress, evidence, ...start }: LaunchedStart): Promise<KeptBrowser> {
  const wayOut = await egress.open({ network: start.network });
  try {
    return await keepServer({ ...start, proxyPort: wayOut.port }, evidence, wayOut);
  } catch (error) {
    void wayOut.close();
    throw error;
  }
}

/**
 * A browser that serves one lease epoch: Playwright closes the pages of a client that goes. A worker that takes over
 * finds it gone, which also ends whatever the last one had sent, and the session goes on from its checkpoint in another.
 */
async function keepServer(start: ServerStart, evidence: EvidenceLog, wayOut: WayOut): Promise<KeptBrowser> {
  const { sessionId, program } = start;
  const { browserType } = program;
  const server = await startServer(start);
  const browserId = randomUUID();
  let state: 'running' | 'gone' | 'ended' = 'running';
  let newestEpoch = 0;
  const lost = Promise.withResolvers<void>();
  // Nobody watches what its pages send: its whole life is a gap.
  evidence.watch(browserId);
  evidence.release();
  const lose = (because?: string): void => {
    if (state !== 'running') return;
    state = 'gone';
    evidence.end(because);
    lost.resolve();
  };
  void server.ended.then(() => lose());
  const assertHolder = (epoch: number): void => {
    if (epoch !== newestEpoch) throw notLeaseHolder(epoch, newestEpoch);
  };

  const collectBlocked = async (): Promise<void> => {
    for (const blocked of await wayOut.blocked()) evidence.addBlockedOrigin(blocked);
  };

  return {
    gone: lost.promise,
    assign() {
      throw new Error('Expected a Chrome of the pool, got a browser that was launched for its session.');
    },
    async openRelay(epoch) {
      if (epoch < newestEpoch) throw epochRefused(epoch, newestEpoch);
      if (epoch > newestEpoch && newestEpoch > 0) lose(PAGE_LOST);
      if (state !== 'running') throw noSuchBrowser(sessionId, evidence.endedBecause);
      newestEpoch = epoch;
      return {
        sessionId,
        epoch,
        browserId,
        endpoint: server.endpoint,
        playwright: browserType,
        token: '',
        pid: server.pid,
        downloads: server.folder,
        isNew: true,
        policy: wayOut.policy,
        network: wayOut.network,
      };
    },
    collectBlocked,
    wayOutOpenSince: () => wayOut.openSince(),
    async setNetwork(network, epoch = newestEpoch) {
      assertHolder(epoch);
      await wayOut.allow(network);
      return wayOut.policy;
    },
    quietForMs: () => null,
    async setIdempotencyHeader(epoch, key) {
      assertHolder(epoch);
      if (key !== undefined) throw notInThisBrowser('nobody can put a key on its requests', browserType);
    },
    async setDeed(epoch, deed) {
      assertHolder(epoch);
      if (deed !== undefined) throw notInThisBrowser('nobody can hold back what it sends', browserType);
      return undefined;
    },
    dialogs(epoch) {
      assertHolder(epoch);
      return undefined;
    },
    openSockets: () => [],
    deedOver: () => Promise.resolve(),
    list: () => ({
      sessionId,
      pid: server.pid,
      epoch: newestEpoch,
      startedAt: server.startedAt,
      attachedWorkers: newestEpoch === 0 ? 0 : 1,
    }),
    async end() {
      await collectBlocked().catch(() => undefined);
      state = 'ended';
      await server.end();
      await wayOut.close();
      evidence.end();
    },
    release() {
      state = 'ended';
      // It can not be adopted: its pages end with this keeper.
      void server.end();
    },
  };
}
