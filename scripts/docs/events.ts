import { EVENTS } from '../../contracts/events/event-definitions';
import { membersTable, table } from './members';
import { namedSchema, resolved } from './open-api';

const HEAD = `# Events

The types of events in a session's log, which \`GET /v1/sessions/{id}/events\` streams ([formats](../event-formats.md)). Each event has \`type\`, \`sessionId\`, \`timestamp\`, mostly \`stepIndex\`, and \`data\` with the members below beside \`message\` and \`details\`. Exactly one event that ends the log is its last.

This page is generated from contracts/events by \`npm run docs\`.
`;

/** Writes docs/reference/events.md from the definitions of the events. */
export function describeEvents(): string {
  const events = Object.entries(EVENTS);
  const rows = events.map(([type, { owners, payload, ...rest }]) => [
    `\`${type}\``,
    owners.join(', '),
    Object.keys(payload)
      .map((member) => `[\`${member}\`](#${member.toLowerCase()})`)
      .join(', '),
    'endsLog' in rest && rest.endsLog === true ? 'yes' : '',
  ]);
  const { properties = {} } = namedSchema('StreamEventData');
  const members = new Set(events.flatMap(([, { payload }]) => Object.keys(payload)));
  const sections = [...members].map(
    (name) => `### ${name}\n\n${membersTable(resolved(properties[name]!)) ?? 'A value.'}`,
  );
  return [
    HEAD,
    '## Types',
    table(['type', 'published by', 'data', 'ends the log'], rows),
    '## Members of data',
    ...sections,
  ].join('\n\n');
}
