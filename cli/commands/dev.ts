import type { CliCommand } from '../context/define-command';
import { EXIT } from '../context/exit';
import { toPort } from '../input/options';
import { addressPairs, printWhatNext, withLocalStack } from '../stack/local-stack';
import { toPairs } from '../terminal/table';

export const dev: CliCommand = {
  name: 'dev',
  summary: 'bring the local stack up',
  description: 'Does what `surefoot start` does, without the demo session. Data stays in SUREFOOT_HOME (.surefoot).',
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
    printWhatNext(terminal, addresses);
    await interrupt.interrupted;
    return EXIT.done;
  });
}
