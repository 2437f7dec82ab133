/** A type as its row has it: the named members are columns that may be empty. */
export type Stored<T, Empty extends keyof T> = Omit<T, Empty> & { [K in Empty]: NonNullable<T[K]> | null };

type NullKeys<Row> = { [K in keyof Row]-?: null extends Row[K] ? K : never }[keyof Row];

/** A row whose empty columns are absent members, as in the types of the contracts. */
export type WithoutNulls<Row> = Omit<Row, NullKeys<Row>> & { [K in NullKeys<Row>]?: Exclude<Row[K], null> };

/** Copies the row without the columns that are null. */
export function withoutNulls<Row extends object>(row: Row): WithoutNulls<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>;
}
