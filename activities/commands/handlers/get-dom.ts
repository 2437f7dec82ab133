import type { CommandHandler } from './command-handler';

/** Nothing to do: the answer of every command carries the DOM (S1.R11). */
export const getDom: CommandHandler = async () => {};
