import type { z } from 'zod';
import type { MessageReceiptSchema } from '../../contracts/messages/control-message';
import { pathParameters, type MessageBody, type PathValues } from '../../contracts/messages/message-path';
import {
  CONTROL_MESSAGE_NAMES,
  hasInput,
  messageDefinition,
  type ControlMessageName,
  type MessageInput,
  type MessageOf,
} from '../../contracts/messages/messages';

export type Receipt = z.infer<typeof MessageReceiptSchema>;

/** Sends a POST to a path of the API, under a key where one is given. */
type Post = (path: string, body: unknown, key: string | undefined) => Promise<Receipt>;

type Given<N extends ControlMessageName> =
  MessageInput<N> extends undefined
    ? [key?: string]
    : object extends MessageBody<N>
      ? [json?: MessageBody<N>, key?: string]
      : [json: MessageBody<N>, key?: string];

/** A method for each control message: the values of its path, its body where it has one, and a key. */
export type ControlMethods = {
  [N in ControlMessageName as MessageOf<N>['operationId']]: (
    ...given: [...PathValues<N>, ...Given<N>]
  ) => Promise<Receipt>;
};

export function controlMethods(post: Post): ControlMethods {
  const methods = CONTROL_MESSAGE_NAMES.map((name) => [messageDefinition(name).operationId, methodOf(name, post)]);
  return Object.fromEntries(methods) as ControlMethods;
}

function methodOf(name: ControlMessageName, post: Post) {
  const parameters = pathParameters(name);
  return async (...given: unknown[]): Promise<Receipt> => {
    const values = given.slice(0, parameters.length).map((value) => encodeURIComponent(String(value)));
    const path = messageDefinition(name).path.replaceAll(/\{\w+\}/g, () => values.shift()!);
    const rest = given.slice(parameters.length);
    const [body, key] = hasInput(name) ? [rest[0] ?? {}, rest[1]] : [undefined, rest[0]];
    return await post(path, body, key as string | undefined);
  };
}
