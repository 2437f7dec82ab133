import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { issuesOf, issuesText } from '../../../../contracts/errors/issues';

const timeoutMs = z.int().min(100).max(3_600_000).default(60_000);
/** Offers only these of its tools; all where it is absent. */
const tools = z.array(z.string().min(1)).optional();
/** Whether what it says of its tools counts where it makes a call need fewer approvals. */
const trustHints = z.boolean().default(false);

const StdioServerSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** What its process gets beside PATH and the like; `${NAME}` is taken from the engine's environment. */
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  timeoutMs,
  tools,
  trustHints,
});

const HttpServerSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  timeoutMs,
  tools,
  trustHints,
});

const NameSchema = z
  .string()
  .regex(
    /^[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*$/,
    'a server’s name has letters and digits, with single _ or - between them',
  )
  .max(40);

const ConfigSchema = z.strictObject({
  mcpServers: z.record(NameSchema, z.union([StdioServerSchema, HttpServerSchema])),
});

export type McpServerConfig = { name: string } & (
  z.output<typeof StdioServerSchema> | z.output<typeof HttpServerSchema>
);

export class McpConfigError extends Error {}

/** `setting` (SUREFOOT_MCP): a JSON text, or the path of a file with one: `{"mcpServers": {"<name>": …}}`. */
export function readMcpConfig(setting: string | undefined, env: NodeJS.ProcessEnv): McpServerConfig[] {
  if (setting === undefined || setting.trim() === '') return [];
  const isText = setting.trim().startsWith('{');
  const source = isText ? 'SUREFOOT_MCP' : setting;
  if (!isText && !existsSync(resolve(setting)))
    throw new McpConfigError(`SUREFOOT_MCP names ${setting}, and there is no such file.`);
  const text = isText ? setting : readFileSync(resolve(setting), 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new McpConfigError(`${source} is no JSON: ${(cause as Error).message}`, { cause });
  }
  const twice = repeatedName(text);
  if (twice !== undefined)
    throw new McpConfigError(`${source} has two MCP servers called ${twice}. Give each a name of its own.`);
  const parsed = ConfigSchema.safeParse(value);
  if (!parsed.success) throw new McpConfigError(`${source} is not usable: ${issuesText(issuesOf(parsed.error))}.`);
  return Object.entries(parsed.data.mcpServers).map(([name, server]) => ({
    name,
    ...fillFromEnvironment(server, name, env),
  }));
}

/** Fills in `${NAME}` from the environment, so that secrets stay out of the file. */
function fillFromEnvironment<S extends z.output<typeof StdioServerSchema> | z.output<typeof HttpServerSchema>>(
  server: S,
  name: string,
  env: NodeJS.ProcessEnv,
): S {
  const fill = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [
        key,
        text.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
          const value = env[variable];
          if (value === undefined)
            throw new McpConfigError(
              `The MCP server ${name} needs the environment variable ${variable}, which is not set.`,
            );
          return value;
        }),
      ]),
    );
  return 'url' in server ? { ...server, headers: fill(server.headers) } : { ...server, env: fill(server.env) };
}

/** JSON.parse takes the last of two members with one name, and the first server would be gone without a word. */
function repeatedName(text: string): string | undefined {
  const names: string[][] = [];
  let path: string[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') names.push([]);
    else if (token === '}' || token === ']') {
      names.pop();
      path = path.slice(0, names.length);
    } else if (token.endsWith(':')) {
      const name = JSON.parse(token.replace(/\s*:$/, '')) as string;
      path = [...path.slice(0, names.length - 1), name];
      const known = names.at(-1)!;
      if (known.includes(name) && path[0] === 'mcpServers') return path.length === 2 ? name : undefined;
      known.push(name);
    }
  }
  return undefined;
}
