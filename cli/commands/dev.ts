import type { CliCommand } from '../define-command';
import { EXIT } from '../exit';
import { toPort } from '../input/options';
import { addressPairs, withLocalStack } from '../stack/local-stack';
import { toPairs } from '../terminal/table';
import { programName } from '../terminal/as-called';

export const dev: CliCommand = {
  name: 'dev',
  summary: 'bring the local stack up',
  description:
    'Brings up what is missing (Temporal with its web page, PostgreSQL, Chromium, workers, keeper, API, the demo shop) ' +
    'and stays up until Ctrl-C, which stops every process it started. Data stays in SUREFOOT_HOME (.surefoot).',
  examples: [
    ['surefoot dev', 'the stack of this folder'],
    ['SUREFOOT_HOME=/tmp/other surefoot dev --port 0', 'another one beside it'],
  ],
  define: (command, end) =>
    command
      .option('--port <port>', 'port of the API; 0 takes any', toPort)
      .action(async ({ port }: { port?: number }) => end(await stayUp(port))),
};

async function stayUp(port: number | undefined): Promise<number> {
  return await withLocalStack(port, async ({ addresses, terminal, interrupt }) => {
    terminal.printBlock(toPairs(addressPairs(addresses)));
    if (addresses.shop !== undefined) terminal.printBlock([`Try: ${programName()} run 'Open ${addresses.shop}/login'`]);
    terminal.print('The stack stays up; Ctrl-C stops all of it.');
    await interrupt.interrupted;
    return EXIT.done;
  });
}
