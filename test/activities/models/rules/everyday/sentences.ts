import { FORMS } from './forms';
import { THINGS } from './things';
import { WORDS } from './words';

/**
 * Steps as people write them, with what they come to on a page: the commands and the ids of their elements, or `asks`
 * (several fit), `absent` (nothing fits), `refuses` (the words are not understood).
 */
export type Sentences = Record<string, readonly (readonly [said: string, expected: string])[]>;

export const SENTENCES: Sentences = { ...FORMS, ...THINGS, ...WORDS };
