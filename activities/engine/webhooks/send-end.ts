/** What one attempt came to. `refused`: another one would end the same way. */
export type SendEnd = { kind: 'taken' } | { kind: 'missed' | 'refused'; reason: string };
