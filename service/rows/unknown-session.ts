import type { Client } from '@temporalio/client';
import { toCommandText } from '../../contracts/commands/command-text';
import { sessionIdOf } from '../../store/sessions/session-id';
import type { Store } from '../../store/store';

interface Witnesses {
  store: Pick<Store, 'witness'>;
  temporal?: Client | undefined;
}

/**
 * What is said of a session that the database does not have. Where Temporal or this host still knows it, the database was put
 * back to an earlier time: whoever starts it again without looking may do everything twice.
 */
export async function unknownSessionText(witnesses: Witnesses, name: string): Promise<string> {
  const known = [await knownToTemporal(witnesses, name), await knownToHost(witnesses, name)].filter(Boolean);
  if (known.length === 0) return `There is no session ${name}.`;
  return (
    `The database has no session ${name}, but ${known.join(', and ')}. The database was put back to an earlier time, or the ` +
    'session was erased. Look at what it has done before it is started again; `npx surefoot doctor` shows whether the engine workers run.'
  );
}

async function knownToTemporal({ temporal }: Witnesses, name: string): Promise<string | undefined> {
  try {
    const { status } = (await temporal?.workflow.getHandle(name).describe()) ?? {};
    if (status === undefined) return undefined;
    return `Temporal has its workflow (${status.name.toLowerCase()}), from which engine workers enter it again`;
  } catch {
    // It does not know it, or is away: reads need the database alone.
    return undefined;
  }
}

async function knownToHost({ store }: Witnesses, name: string): Promise<string | undefined> {
  const { intents } = await store.witness.of(sessionIdOf(name));
  const newest = intents.at(-1);
  if (newest === undefined) return undefined;
  const count = intents.length === 1 ? '1 of its commands' : `${intents.length} of its commands`;
  return `this host has noted ${count} in \`witness\` of SUREFOOT_HOME, the last of them ${toCommandText(newest.intent)} at ${newest.at}`;
}
