import { EVENTS } from '../../contracts/events/event-definitions';
import { item, listed, memberLines, memberType, NOTATION } from './members';
import { namedSchema, resolved } from './open-api';

const HEAD = `# Events

The types of events in a session's log, which \`GET /v1/sessions/{id}/events\` streams ([formats](../event-formats.md)). Each event has \`type\`, \`sessionId\`, \`timestamp\`, mostly \`stepIndex\`, and \`data\` with the members below beside \`message\` and \`details\`. An event that ends the log is its last.

This page is generated from contracts/events by \`npm run docs\`.
`;

/** Writes docs/reference/events.md from the definitions of the events. */
export function describeEvents(): string {
  const events = Object.entries(EVENTS);
  const types = events.map(([type, { owners, payload, ...rest }]) =>
    item(
      `\`${type}\``,
      [...owners, 'endsLog' in rest && rest.endsLog === true ? 'ends the log' : ''],
      Object.keys(payload)
        .map((member) => `[\`${member}\`](#${member.toLowerCase()})`)
        .join(', '),
    ),
  );
  const { properties = {} } = namedSchema('StreamEventData');
  // The names of all commands, as a line has them.
  const actions = memberType(resolved(properties['command']!).properties!['action']!);
  const members = new Set(events.flatMap(([, { payload }]) => Object.keys(payload)));
  const sections = [...members].map((name) =>
    [
      `### ${name}`,
      ...listed(
        memberLines(resolved(properties[name]!)).map((line) =>
          line.replace(actions, '[one of the actions](commands.md)'),
        ),
      ),
    ].join('\n\n'),
  );
  return [HEAD, '## Types', types.join('\n'), '## Members of data', NOTATION, ...sections].join('\n\n');
}
