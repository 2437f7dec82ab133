import type { Sql } from '../database/connect';

/** A variable as it is kept: a value, or only the name of the environment variable of the workers that holds it. */
export interface VariableRow {
  name: string;
  value: string | null;
  env: string | null;
  previousValue: string | null;
  source: 'user_input' | 'extracted' | 'computed';
  stepIndex: number | null;
  at: Date;
}

export interface Variables {
  ofSession(sessionId: string): Promise<VariableRow[]>;
  /** Has a session have what another one, which is a step of it, has saved. Of two steps that save a name the later counts. */
  hand(step: { from: string; to: string; stepIndex: number }): Promise<void>;
}

export function createVariables(sql: Sql): Variables {
  return {
    ofSession: async (sessionId) => [
      ...(await sql<VariableRow[]>`
        select name, value, env, previous_value, source, step_index, at from variables
        where session_id = ${sessionId} order by name`),
    ],
    async hand({ from, to, stepIndex }) {
      await sql`
        insert into variables (session_id, name, value, source, step_index, at)
        select ${to}, name, value, source, ${stepIndex}, at from variables
        where session_id = ${from} and source <> 'user_input'
        on conflict (session_id, name) do update
        set value = excluded.value, env = null, source = excluded.source, step_index = excluded.step_index, at = excluded.at
        where variables.step_index is null or variables.step_index <= excluded.step_index`;
    },
  };
}
