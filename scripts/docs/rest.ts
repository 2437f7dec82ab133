import { COMMAND_GROUPS } from '../../cli/program';
import {
  item,
  listed,
  meaningOf,
  memberLines,
  memberType,
  NOTATION,
  plain,
  withoutShared,
  type DocumentedSchema,
} from './members';
import { OPEN_API, resolved, type Operation } from './open-api';

interface Route extends Operation {
  line: string;
}

/** A route with the lines of its parameters. */
interface Entry {
  route: Route;
  queries: string[];
  members: string[];
  /** The route before it that takes the same body. */
  earlier: string | undefined;
}

const HEAD = `# REST

Every route of the API, under the name of its method in the [client](../package.md). A running stack has all schemas and limits at http://localhost:3000/docs, and as OpenAPI at http://localhost:3000/openapi.json.

Every answer is JSON with \`success\`, \`data\` or \`error\` ([errors](errors.md)), and \`metadata\` with the request id. Every POST takes an \`Idempotency-Key\`: the same request under the same key is carried out once. Where SUREFOOT_API_TOKEN is set, a request brings it as \`Authorization: Bearer\`, unless the route says that it needs none.

This page is generated from api/routes by \`npm run docs\`.
`;

/** Descriptions that the page of the command line has, with the names of their commands. */
const OF_COMMANDS = new Map(
  Object.values(COMMAND_GROUPS)
    .flat()
    .map(({ description, name }) => [description, name]),
);

/** Writes docs/reference/rest.md from the routes of the API. */
export function describeRest(): string {
  const { tags, paths } = OPEN_API;
  const routes = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({
      ...operation,
      line: `${method.toUpperCase()} ${path}`,
    })),
  );
  const names = new Set([...(tags ?? []).map(({ name }) => name), ...routes.flatMap(({ tags: own }) => own)]);
  const bodies = new Map<DocumentedSchema, string>();
  const sections = [...names].map((name) => [
    `## ${name}`,
    ...describeEntries(routes.filter((route) => route.tags.includes(name)).map((route) => entryOf(route, bodies))),
  ]);
  return [HEAD, NOTATION, ...sections.flat()].join('\n\n');
}

/** What a route asks for in place of the token. */
function accessOf({ security }: Route): string {
  if (security === undefined) return '';
  return security.length === 0 ? ' (needs no token)' : ' (needs the token of a browser)';
}

/** Says what a route does; what a command says at length is linked. */
function meaningOfRoute(route: Route): string {
  const { summary, description } = route;
  const command = description === undefined ? undefined : OF_COMMANDS.get(description);
  const text = command === undefined ? plain(summary) : `[${plain(summary)}](cli.md#${command})`;
  const more = description === undefined || command !== undefined ? '' : ` ${plain(description)}`;
  return `${text}${accessOf(route)}.${more}`;
}

function entryOf(route: Route, bodies: Map<DocumentedSchema, string>): Entry {
  const { operationId, parameters = [], requestBody } = route;
  const queries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description }) =>
      item(
        `\`${name}\``,
        [memberType(schema)].filter((type) => type !== 'text'),
        meaningOf({ ...schema, ...(description === undefined ? {} : { description }) }),
      ),
    );
  const body = requestBody?.content['application/json']?.schema;
  const schema = body === undefined ? undefined : resolved(body);
  const earlier = schema === undefined ? undefined : bodies.get(schema);
  const members = schema === undefined || earlier !== undefined ? [] : memberLines(schema);
  if (schema !== undefined && earlier === undefined) bodies.set(schema, operationId);
  return { route, queries: queries.map(inShort), members: members.map(inShort), earlier };
}

/** Describes the routes of a section after the members that several of them take. */
function describeEntries(entries: readonly Entry[]): string[] {
  const { shared, lists } = withoutShared(
    entries.flatMap(({ queries, members }) => [queries, members]),
    2,
  );
  const details = entries.flatMap(({ route, earlier }, index) => [
    `### ${route.operationId}`,
    `\`${route.line}\`: ${meaningOfRoute(route)}`,
    ...listed(lists[index * 2]!, 'Query: '),
    ...(earlier === undefined ? [] : [`Body: that of [${earlier}](#${earlier.toLowerCase()}).`]),
    ...listed(lists[index * 2 + 1]!, 'Body: '),
  ]);
  return [...(shared.length === 0 ? [] : ['Of several routes:', shared.join('\n')]), ...details];
}

/** How long a text may be, what a list has and what may be null is left to the OpenAPI document. */
const inShort = (line: string): string =>
  line
    .replace(/ \(text ≤\d+\)/, '')
    .replace(/(\(list(?: ≤\d+)?) of (?:text|object|anything)[^)]*\)/, '$1)')
    .replace(/ or null\)/, ')');
