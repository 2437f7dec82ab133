/** Postgres is put back under sessions that place orders, as by a failover that loses its last writes; so is Temporal in the long run. */
import { runRolledBack } from '../../bench/chaos/rolled-back/run-rolled-back';
import { IS_LONG_RUN } from '../support/long-run';

/** Every third is one of Temporal. */
const ROUNDS = IS_LONG_RUN ? 9 : 2;

it('no order is placed twice when a server is put back, and every session ends or asks a person', async () => {
  const rounds = await runRolledBack(
    { rounds: ROUNDS, seed: 1, sessions: 2, servers: ['postgres', 'temporal'] },
    new AbortController().signal,
  );
  expect(rounds).toHaveLength(ROUNDS);
  expect(rounds.flatMap(({ breaches }) => breaches)).toEqual([]);
  const sessions = rounds.flatMap((round) => round.sessions);
  expect(sessions.filter(({ orders }) => orders > 1)).toEqual([]);
}, 900_000);
