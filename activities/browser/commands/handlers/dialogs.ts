import type { dialogCommands } from '../../../../contracts/commands/definitions/dialogs';
import type { CommandHandlers } from './command-handler';

export const dialogHandlers: CommandHandlers<typeof dialogCommands> = {
  /** Arms the answer to the next dialog; it comes before the command that makes the page open one. */
  async HANDLE_DIALOG({ attachment, parameters: { accept, promptText } }) {
    attachment.watch.nextDialog = { accept, promptText };
  },
};
