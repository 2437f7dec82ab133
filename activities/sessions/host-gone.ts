import type { Store } from '../../store/store';

/** A host in its usual health is heard of every second. */
const SILENT_FOR_MS = 3000;
/** A keeper whose database was away has beaten again by then. */
const ASK_AGAIN_AFTER_MS = 3000;

/** Whether the host is gone. Asked twice, because after an outage of the database every host looks silent at first. */
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
