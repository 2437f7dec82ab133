import {
  CONTROL_MESSAGE_NAMES,
  hasInput,
  type ControlMessageName,
  type MessageWithInput,
} from '../contracts/messages/messages';
import { addStep } from './commands/add-step';
import { answer } from './commands/answer';
import { cancelCall } from './commands/cancel-call';
import { cancelTurn } from './commands/cancel-turn';
import { approve, reject, revoke } from './commands/decide-approval';
import { plainMessageCommand } from './commands/message-command';
import { resolveBudget } from './commands/resolve-budget';
import { resolveUnknown } from './commands/resolve-unknown';
import type { CliCommand } from './context/define-command';

/** The commands that read the input of a message from arguments and options. */
const WITH_INPUT: { readonly [N in MessageWithInput]: readonly CliCommand[] } = {
  addSteps: [addStep],
  cancelTurn: [cancelTurn],
  cancelCall: [cancelCall],
  resolveUnknown: [resolveUnknown],
  answerSecret: [answer],
  resolveBudget: [resolveBudget],
  decideApproval: [approve, reject],
  revokeApproval: [revoke],
};

/** The commands of all control messages; that of one without input derives from its definition. */
export const MESSAGE_COMMANDS: readonly CliCommand[] = CONTROL_MESSAGE_NAMES.flatMap(commandsOf);

function commandsOf(name: ControlMessageName): readonly CliCommand[] {
  return hasInput(name) ? WITH_INPUT[name] : [plainMessageCommand(name)];
}
