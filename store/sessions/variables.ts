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
    async ofSession(sessionId) {
      const rows = await sql`select * from variables where session_id = ${sessionId} order by name`;
      return rows.map((row) => ({
        name: row['name'],
        value: row['value'],
        env: row['env'],
        previousValue: row['previous_value'],
        source: row['source'],
        stepIndex: row['step_index'],
        at: row['at'],
      }));
    },
  };
}
