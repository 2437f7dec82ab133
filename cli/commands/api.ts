import type { CliCommand } from '../context/define-command';
import { runInForeground } from '../stack/foreground';
import { toPort } from '../input/options';

export const api: CliCommand = {
  name: 'api',
  summary: 'run the HTTP API in the foreground',
  description: 'Runs the HTTP API in the foreground until Ctrl-C, on HOST (127.0.0.1) and PORT (3000).',
  examples: [['surefoot api --port 3100', 'a second API beside the one of the local stack']],
  define: (command, end) =>
    command
      .option('--port <port>', 'listen on this port instead of PORT', toPort)
      .action(async ({ port }: { port?: number }) => {
        const env: Record<string, string> = port === undefined ? {} : { PORT: String(port) };
        end(await runInForeground([{ name: 'The API', script: 'api/main.js', env }]));
      }),
};
