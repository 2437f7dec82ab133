import type { dialogCommands } from '../../../../contracts/commands/definitions/dialogs';
import type { CommandHandlers } from './command-handler';

export const dialogHandlers: CommandHandlers<typeof dialogCommands> = {
  /** Gives the answer to the dialogs of the command after it. */
  async HANDLE_DIALOG({ attachment, parameters: { accept, promptText } }) {
    attachment.watch.dialogAnswers.give({ accept, promptText });
  },
};
