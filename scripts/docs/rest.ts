import { COMMAND_GROUPS } from '../../cli/program';
import { item, listed, meaningOf, memberLines, NOTATION, plain, memberType } from './members';
import { OPEN_API, resolved, type Operation } from './open-api';

interface Route extends Operation {
  line: string;
}

const HEAD = `# REST

Every route of the API. A running stack has the same with all schemas, and a page to try it on, at http://localhost:3000/docs and as OpenAPI at http://localhost:3000/openapi.json. Each route stands under the name of its method in the [client](../package.md).

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
  const sections = [...names].map((name) => [
    `## ${name}`,
    ...routes.filter((route) => route.tags.includes(name)).flatMap(detailsOf),
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

function detailsOf(route: Route): string[] {
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
  const members = body === undefined ? [] : memberLines(resolved(body));
  return [
    `### ${operationId}`,
    `\`${line}\`: ${plain(summary)}${accessOf(route)}.${moreOf(description)}`,
    ...listed(queries, 'Query: '),
    ...listed(members, 'Body: '),
  ];
}
