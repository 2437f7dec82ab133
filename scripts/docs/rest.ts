import { COMMAND_GROUPS } from '../../cli/program';
import { item, listed, meaningOf, memberLines, memberType, NOTATION, plain, type DocumentedSchema } from './members';
import { OPEN_API, resolved, type Operation } from './open-api';

interface Route extends Operation {
  line: string;
}

const HEAD = `# REST

Every route of the API. A running stack has the same with all schemas and limits, and a page to try it on, at http://localhost:3000/docs and as OpenAPI at http://localhost:3000/openapi.json. Each route stands under the name of its method in the [client](../package.md).

Every answer is JSON with \`success\`, \`data\` or \`error\` ([errors](errors.md)), and \`metadata\` with the request id. Every POST takes an \`Idempotency-Key\`: the same request under the same key is carried out once. Where SUREFOOT_API_TOKEN is set, a request brings it as \`Authorization: Bearer\`, also to a path that has no route; what needs none says so.

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
    ...routes.filter((route) => route.tags.includes(name)).flatMap((route) => detailsOf(route, bodies)),
  ]);
  return [HEAD, NOTATION, ...sections.flat()].join('\n\n');
}

/** What a route asks for in place of the token. */
function accessOf({ security }: Route): string {
  if (security === undefined) return '';
  return security.length === 0 ? ' (needs no token)' : ' (needs the token of a browser)';
}

function moreOf(description: string | undefined): string {
  if (description === undefined) return '';
  const command = OF_COMMANDS.get(description);
  return command === undefined ? ` ${plain(description)}` : ` [More](cli.md#${command}).`;
}

/** The lines of a route; a body that an earlier route takes is named by that route. */
function detailsOf(route: Route, bodies: Map<DocumentedSchema, string>): string[] {
  const { line, operationId, summary, description, parameters = [], requestBody } = route;
  const queries = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description: own }) =>
      item(
        `\`${name}\``,
        [memberType(schema)].filter((type) => type !== 'text'),
        meaningOf({ ...schema, ...(own === undefined ? {} : { description: own }) }),
      ),
    );
  const body = requestBody?.content['application/json']?.schema;
  const schema = body === undefined ? undefined : resolved(body);
  const earlier = schema === undefined ? undefined : bodies.get(schema);
  const members = schema === undefined || earlier !== undefined ? [] : memberLines(schema);
  if (schema !== undefined && earlier === undefined) bodies.set(schema, operationId);
  return [
    `### ${operationId}`,
    `\`${line}\`: ${plain(summary)}${accessOf(route)}.${moreOf(description)}`,
    ...listed(queries.map(withoutLimit), 'Query: '),
    ...(earlier === undefined ? [] : [`Body: that of [${earlier}](#${earlier.toLowerCase()}).`]),
    ...listed(members.map(withoutLimit), 'Body: '),
  ];
}

/** How long a text may be is left to the OpenAPI document. */
const withoutLimit = (line: string): string => line.replace(/ \(text ≤\d+\)/, '');
