import { z } from 'zod';
import { defineEvent, defineEvents } from '../../../contracts/events/event-definition';
import { EVENTS } from '../../../contracts/events/event-definitions';
import { StreamEventDataSchema, StreamEventType } from '../../../contracts/events/stream-event';

const error = z.string();
const command = z.string();
const toTerminal = () => [];

test('a definition without owners, payload or lines for a terminal does not compile', () => {
  expect(defineEvent({ owners: ['executor'], payload: {}, toTerminal }).payload).toEqual({});
  // @ts-expect-error -- no owners.
  defineEvent({ payload: {}, toTerminal });
  // @ts-expect-error -- no payload.
  defineEvent({ owners: ['executor'], toTerminal });
  // @ts-expect-error -- no lines.
  defineEvent({ owners: ['executor'], payload: {} });
  // @ts-expect-error -- an owner at least.
  defineEvent({ owners: [], payload: {}, toTerminal });
  // @ts-expect-error -- no such module.
  defineEvent({ owners: ['browser'], payload: {}, toTerminal });
  // @ts-expect-error -- shows a member that it does not carry.
  defineEvent({ owners: ['executor'], payload: { command }, toTerminal: ({ data }) => [{ text: data.step }] });
});

test("[S1.R13, S1.A6] an event without its family's member, or a failure without error, does not compile", () => {
  // @ts-expect-error -- a failure has an error.
  defineEvents({ COMMAND_FAILED: defineEvent({ owners: ['executor'], payload: { command }, toTerminal }) });
  // @ts-expect-error -- an event of a command has the command.
  defineEvents({ COMMAND_FAILED: defineEvent({ owners: ['executor'], payload: { error }, toTerminal }) });
  // @ts-expect-error -- an event of an investigation tool is not one of an investigation.
  defineEvents({ INVESTIGATION_TOOL_ENDED: defineEvent({ owners: ['executor'], payload: { command }, toTerminal }) });
  const whole = defineEvent({ owners: ['executor'], payload: { command, error }, toTerminal });
  expect(defineEvents({ COMMAND_FAILED: whole })).toEqual({ COMMAND_FAILED: whole });
});

test('an event that is not defined can not be published', () => {
  // @ts-expect-error -- no such event.
  const type: StreamEventType = 'STEP_SKIPPED';
  expect(Object.keys(StreamEventType)).not.toContain(type);
});

test('enum and payload schema have what the definitions say, and nothing else', () => {
  expect(Object.values(StreamEventType)).toEqual(Object.keys(EVENTS));
  const members = new Set(Object.values(EVENTS).flatMap(({ payload }) => Object.keys(payload)));
  expect(Object.keys(StreamEventDataSchema.shape).sort()).toEqual([...members, 'message', 'details'].sort());
});
