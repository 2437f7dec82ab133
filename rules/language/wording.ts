/** Words of people, and the plain ones that mean the same. */
export type Wording = readonly [RegExp, string | ((...match: string[]) => string)];

export const inPlainerWords = (plain: string, [wording, meaning]: Wording): string =>
  typeof meaning === 'string' ? plain.replace(wording, meaning) : plain.replace(wording, meaning);
