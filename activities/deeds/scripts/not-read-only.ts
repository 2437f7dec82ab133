import type { Node } from 'acorn';

/** A part of a script may do more than read; the message is the end of a sentence that begins with “because”. */
export class NotReadOnly extends Error {
  constructor(
    why: string,
    readonly node?: Node,
  ) {
    super(why);
  }
}
