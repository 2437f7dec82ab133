import postgres from 'postgres';

/** Every row of every table, each as a text of its own with the name of its table before it. */
export async function everyRow(databaseUrl: string): Promise<string[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  try {
    const tables = await sql`select table_name from information_schema.tables where table_schema = 'public'`;
    const rows: string[] = [];
    for (const { table_name: table } of tables) {
      for (const row of await sql`select t::text as row, to_jsonb(t)::text as json from ${sql(table as string)} t`)
        rows.push(`${table}: ${row['row']} ${row['json']}`);
    }
    return rows;
  } finally {
    await sql.end();
  }
}
