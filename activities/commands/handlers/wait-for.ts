import { EngineError } from '../../failures';
import type { Attachment } from '../../browsers/attachment';
import type { CommandHandler } from './command-handler';
import { isTextVisible, pollUntil } from './visible-text';

export const waitFor: CommandHandler = async ({ attachment, page, parameters, timeoutMs, signal }) => {
  const { text, hidden = false, seconds } = parameters;
  const limitMs = Math.min(seconds === undefined ? timeoutMs : seconds * 1000, timeoutMs);
  if (text === undefined) {
    await pollUntil(() => stillThere(attachment), limitMs, signal);
    return;
  }
  const isSo = await pollUntil(async () => (await isTextVisible(page, text)) !== hidden, limitMs, signal);
  if (isSo) return;
  const told = hidden ? `“${text}” is still there` : `“${text}” did not appear`;
  throw new EngineError('EX002', `${told} within ${limitMs / 1000} s on ${page.url()}.`);
};

/** Nothing is asked of the page, so that it went away would not show. */
async function stillThere(attachment: Attachment): Promise<false> {
  if (!attachment.isConnected) throw new Error('Connection closed');
  return false;
}
