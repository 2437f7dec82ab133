import { once } from 'node:events';
import { connect } from 'node:net';

const WITHIN_MS = 3000;

/** Opens a TCP connection and closes it; rejects when nothing listens there or the host does not answer in time. */
export async function probePort(host: string, port: number): Promise<void> {
  const timeout = AbortSignal.timeout(WITHIN_MS);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: timeout });
  } catch (error) {
    throw timeout.aborted ? new Error(`no answer within ${WITHIN_MS / 1000} s`) : error;
  } finally {
    socket.destroy();
  }
}

export function canConnect(host: string, port: number): Promise<boolean> {
  return probePort(host, port).then(
    () => true,
    () => false,
  );
}
