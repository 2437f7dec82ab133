import type { Store } from '../../../store/store';

/** A healthy host sends a heartbeat every second. */
const SILENT_FOR_MS = 3000;
/** A keeper whose database was away has sent another heartbeat by then. */
const ASK_AGAIN_AFTER_MS = 3000;

/**
 * True when the host is gone. It checks twice, because after an outage of the database every host looks silent at
 * first.
 */
export async function isHostGone(
  { hosts }: Pick<Store, 'hosts'>,
  hostId: string,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  const isSilent = async (): Promise<boolean> => ((await hosts.get(hostId))?.silentForMs ?? Infinity) >= SILENT_FOR_MS;
  if (!(await isSilent())) return false;
  await pause(ASK_AGAIN_AFTER_MS);
  return await isSilent();
}
