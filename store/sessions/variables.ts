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
}

export function createVariables(sql: Sql): Variables {
  return {
    ofSession: async (sessionId) => [
      ...(await sql<VariableRow[]>`
        select name, value, env, previous_value, source, step_index, at from variables
        where session_id = ${sessionId} order by name`),
    ],
  };
}
