import { meaningOf, membersTable, plain, table, typeOf } from './members';
import { OPEN_API, resolved, type Operation } from './open-api';

interface Route extends Operation {
  line: string;
}

const HEAD = `# REST

Every route of the API. A running stack has the same with all schemas, and a page to try it on, at http://localhost:3000/docs and as OpenAPI at http://localhost:3000/openapi.json. \`method\` is the name in the [client](../package.md).

Every answer is JSON with \`success\`, \`data\` or \`error\` ([errors](errors.md)), and \`metadata\` with the request id. Every POST takes an \`Idempotency-Key\`: the same request under the same key is carried out once. Where SUREFOOT_API_TOKEN is set, a request brings it as \`Authorization: Bearer\`, also to a path that has no route; what needs none says so.

This page is generated from api/routes by \`npm run docs\`.
`;

/** Writes docs/reference/rest.md from the routes of the API. */
export function describeRest(): string {
  const { tags, paths } = OPEN_API;
  const routes = Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({
      ...operation,
      line: `${method.toUpperCase()} ${path}`,
    })),
  );
  const described = tags?.map(({ name, description }) => ({ name, description })) ?? [];
  const names = [...new Set([...described.map(({ name }) => name), ...routes.flatMap(({ tags: own }) => own)])];
  const sections = names.map((name) => {
    const own = routes.filter((route) => route.tags.includes(name));
    const rows = own.map((route) => [
      `\`${route.line}\``,
      plain(route.summary) + accessOf(route),
      `\`${route.operationId}\``,
    ]);
    const intro = described.find((tag) => tag.name === name)?.description;
    const details = own.flatMap(detailsOf);
    return [
      `## ${name}`,
      ...(intro === undefined ? [] : [`${plain(intro)}.`]),
      table(['route', 'what it does', 'method'], rows),
      ...details,
    ];
  });
  return [HEAD, ...sections.flat()].join('\n\n');
}

/** What a route asks for in place of the token. */
function accessOf({ security }: Route): string {
  if (security === undefined) return '';
  return security.length === 0 ? ' (needs no token)' : ' (needs the token of a browser)';
}

function detailsOf({ line, operationId, description, parameters = [], requestBody }: Route): string[] {
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const members = body === undefined ? undefined : membersTable(resolved(body));
  if (queries.length === 0 && members === undefined && description === undefined) return [];
  const rows = queries.map(({ name, schema, description: own }) => [
    `\`${name}\``,
    typeOf(schema),
    meaningOf({ ...schema, ...(own === undefined ? {} : { description: own }) }),
  ]);
  return [
    `### ${operationId}`,
    `\`${line}\`${description === undefined ? '' : `. ${plain(description)}`}`,
    ...(rows.length === 0 ? [] : [table(['query', 'value', 'meaning'], rows)]),
    ...(members === undefined ? [] : ['The body:', members]),
  ];
}
