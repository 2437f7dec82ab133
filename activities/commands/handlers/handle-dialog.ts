import type { CommandHandler } from './command-handler';

/** Arms the answer for the next question the page asks; it stands before the command that makes the page ask. */
export const handleDialog: CommandHandler = async ({ attachment, parameters }) => {
  attachment.watch.nextDialog = { accept: parameters.accept ?? false, promptText: parameters.promptText };
};
