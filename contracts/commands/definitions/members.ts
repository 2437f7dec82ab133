import { z } from 'zod';

/** Members that parameters of several commands have. */

/** Characters of a tool's output that are stored, and shown to a model. */
export const MAX_OUTPUT = 50_000;

export const selector = z.string().min(1).describe('ref=e12 of the snapshot, or a Playwright selector of one element');
/** Names of files in the folder that the operator has named for uploads, or ids of uploaded files. */
export const files = z.array(z.string().min(1)).min(1).max(20);
export const pixel = z.number().min(0).max(100_000);
export const maxCharacters = z.int().min(1).max(MAX_OUTPUT).optional();
