import type { PageNode } from '../../contracts/browsers/page-snapshot';

/** What a command does, as far as it can be known before. `why` is one or two sentences for the person who is asked. */
export type Judgement =
  | { kind: 'harmless' }
  /** It changes what can't be taken back: it deletes, pays, orders, sends. */
  | { kind: 'deed'; why: string }
  /** Nothing says what it does, and it may be a deed. */
  | { kind: 'unknown'; why: string };

export const HARMLESS: Judgement = { kind: 'harmless' };

export function deed(why: string): Judgement {
  return { kind: 'deed', why };
}

export function unknown(why: string): Judgement {
  return { kind: 'unknown', why };
}

/** The first that is not harmless, a deed before what is not known. */
export function worstOf(judgements: readonly Judgement[]): Judgement {
  return (
    judgements.find(({ kind }) => kind === 'deed') ?? judgements.find(({ kind }) => kind === 'unknown') ?? HARMLESS
  );
}

/** An element of a snapshot, with the elements around it from the root down. */
export interface PressedPlace {
  node: PageNode;
  ancestors: readonly PageNode[];
}

export function pressedLabel({ name, text, placeholder }: PageNode): string {
  return name || text || placeholder || '';
}
