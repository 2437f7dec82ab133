import type { z } from 'zod';
import type { MessageDefinition } from './define-message';
import { ANSWER_DEFINITIONS } from './definitions/answers';
import { CONTROL_DEFINITIONS } from './definitions/control';

/**
 * Every message that a session takes, by the name of the update, and of the signal, that carries it. Routes, methods of
 * clients, commands of the terminal and tools of MCP derive from it, and the workflow has a handler for each.
 */
export const CONTROL_MESSAGES = { ...CONTROL_DEFINITIONS, ...ANSWER_DEFINITIONS };

type Definitions = typeof CONTROL_MESSAGES;
export type ControlMessageName = keyof Definitions;
export const CONTROL_MESSAGE_NAMES = Object.keys(CONTROL_MESSAGES) as ControlMessageName[];

type SchemaOf<N extends ControlMessageName> = Exclude<Definitions[N]['schema'], undefined>;

/** What a message carries; undefined where its name says all. */
export type MessageInput<N extends ControlMessageName> = [SchemaOf<N>] extends [never]
  ? undefined
  : z.infer<SchemaOf<N>>;
export type MessageOf<N extends ControlMessageName> = Definitions[N];

export type MessageWithInput = {
  [N in ControlMessageName]: MessageInput<N> extends undefined ? never : N;
}[ControlMessageName];
export type MessageWithoutInput = Exclude<ControlMessageName, MessageWithInput>;

export function messageDefinition(name: ControlMessageName): MessageDefinition {
  return CONTROL_MESSAGES[name];
}

export function hasInput(name: ControlMessageName): name is MessageWithInput {
  return messageDefinition(name).schema !== undefined;
}
