import type { Command } from 'commander';
import type { Ending } from '../exit';
import { runInForeground } from '../stack/foreground';
import { toPort, withExamples } from '../input/options';

export function addApi(program: Command, end: Ending): void {
  const command = program
    .command('api')
    .summary('run the HTTP API in the foreground')
    .description('Runs the HTTP API in the foreground until Ctrl-C, on HOST (127.0.0.1) and PORT (3000).')
    .option('--port <port>', 'listen on this port instead of PORT', toPort)
    .action(async ({ port }: { port?: number }) => {
      const env: Record<string, string> = port === undefined ? {} : { PORT: String(port) };
      end(await runInForeground([{ name: 'The API', script: 'api/main.js', env }]));
    });
  withExamples(command, [['surefoot api --port 3100', 'a second API beside the one of the local stack']]);
}
