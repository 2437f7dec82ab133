/** What is wrong, and where: in a schema, or in a value. */
export interface SchemaProblem {
  path: (string | number)[];
  message: string;
}
