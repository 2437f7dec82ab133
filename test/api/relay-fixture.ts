import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRelayGateway, type RelayGatewayDeps } from '../../api/relay/gateway';
import type { RelayGateway } from '../../api/http/context';
import { connectTemporal } from '../../service/connection/connect-temporal';
import { relayRequestId } from '../../contracts/relay/relay-call';
import { aSession } from '../support/builders';
import { eventually } from '../support/eventually';
import type { RawClient } from '../support/raw-relay-client';
import { startTestStack } from '../support/stack';
import { silent } from './fixture';

export const RUN = 'run-1';
export const LONG_MS = 60_000;

interface Asked {
  tool?: string;
  input?: Record<string, unknown>;
  waitForBrowserMs?: number;
  sessionId?: string;
  timeoutMs?: number;
}

export type RelayFixture = Awaited<ReturnType<typeof startRelay>>;

/** The store and Temporal of a relay, and what tests need of both of its ends. */
export async function startRelay() {
  const stack = await startTestStack();
  const endings: (() => Promise<unknown>)[] = [];
  const temporal = connectTemporal({ address: stack.temporalAddress, namespace: 'default' });
  const fixture = {
    stack,
    store: await stack.store(),
    temporal,
    /** Runs at the end. */
    atEnd: (end: () => Promise<unknown>) => void endings.push(end),
    async stop() {
      for (const end of endings) await end();
      await temporal.connection.close();
      await stack.stop();
    },
  };

  /** One API process's end of the relay, on a port of its own. */
  async function aGateway(more: Partial<RelayGatewayDeps> = {}) {
    const gateway: RelayGateway = openRelayGateway({
      store: fixture.store,
      temporal: fixture.temporal,
      logger: silent,
      heartbeatMs: LONG_MS,
      ...more,
    });
    const server: Server = createServer((_, response) => response.writeHead(404).end());
    server.on('upgrade', gateway.connect);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endings.push(async () => {
      await gateway.close();
      server.close();
    });
    return { gateway, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  async function aBrowser(tenant = 'default', lifeMs = LONG_MS) {
    const { pairingToken } = await fixture.store.relay.sessions.pair({ tenant, lifeMs: LONG_MS });
    const { row, sessionToken } = (await fixture.store.relay.sessions.register(pairingToken, lifeMs))!;
    return { browserSessionId: row.browserSessionId, sessionToken };
  }

  /** Asks as the activity does; nobody waits for the token, so the answer is read from the fixture.store. */
  async function askFor(browserSessionId: string, asked: Asked = {}) {
    const sessionId = asked.sessionId ?? (await aSession(fixture.store, { runId: RUN }));
    const requestId = relayRequestId(sessionId, randomUUID());
    const request = {
      requestId,
      sessionId,
      runId: RUN,
      browserSessionId,
      tenant: 'default',
      tool: asked.tool ?? 'computer',
      input: asked.input ?? { action: 'left_click' },
      timeoutMs: asked.timeoutMs ?? LONG_MS,
      waitForBrowserMs: asked.waitForBrowserMs ?? 0,
      taskToken: Buffer.from('nobody waits'),
    };
    const ask = () => fixture.store.relay.calls.request(request);
    expect(await ask()).toEqual({ kind: 'pending' });
    await fixture.store.relay.notifier.notify(browserSessionId);
    return { requestId, sessionId, request, ask };
  }

  /** Answers every ping from now on, beside whatever else the test does; returns a function that counts the pings. */
  function answerPings(client: RawClient): () => number {
    let beats = 0;
    const answer = async (): Promise<void> => {
      await client.next('ping');
      client.send({ type: 'pong' });
      beats += 1;
    };
    const timer = setInterval(() => void (client.has('ping') && answer()), 20);
    endings.push(async () => clearInterval(timer));
    return () => beats;
  }

  const resultOf = (requestId: string) =>
    eventually(
      `the result of ${requestId}`,
      async () => (await fixture.store.relay.answers.result(requestId)) ?? undefined,
    );

  return { ...fixture, aGateway, aBrowser, askFor, answerPings, resultOf };
}
