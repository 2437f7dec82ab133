import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import type { Accepted } from '../../contracts/messages/accepted';
import { CONTROL_MESSAGE_NAMES, type ControlMessageName } from '../../contracts/messages/messages';

/** Applies one message, or refuses it. */
type MessageHandler = (input: unknown) => Promise<Accepted>;

/** Messages that come while a plain start is planned: an update without a handler would be refused. */
export class EarlyMessages {
  private readonly handlers = new Map<ControlMessageName, MessageHandler>();

  /** Has every message wait until its handler is there. */
  hold(): void {
    for (const name of CONTROL_MESSAGE_NAMES) {
      setHandler(defineUpdate<Accepted, [unknown]>(name), async (input) => {
        await condition(() => this.handlers.has(name));
        return await this.handlers.get(name)!(input);
      });
    }
  }

  handleWith(name: ControlMessageName, handler: MessageHandler): void {
    this.handlers.set(name, handler);
  }
}
