import type { CliCommand } from '../context/define-command';
import { EXIT } from '../context/exit';
import { toPort, toPositiveCount, toSeconds } from '../input/options';
import { addressPairs, printWhatNext, withLocalStack, type StackOptions } from '../stack/local-stack';
import { offerPage } from '../stack/offer-page';
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
      .option('--model <names>', 'the model of sessions that name none; auto is the first that `surefoot models` lists')
      .option('--model-timeout <seconds>', 'how long a call of it may take (30 by default)', toSeconds)
      .option('--context-window <tokens>', 'the context window that a server of your own gives it', toPositiveCount)
      .action(async (options: StackOptions) => end(await stayUp(options))),
};

async function stayUp(options: StackOptions): Promise<number> {
  return await withLocalStack(options, async ({ addresses, terminal, interrupt }) => {
    terminal.printBlock(toPairs(addressPairs(addresses)));
    printWhatNext(terminal, addresses);
    offerPage(addresses.page, { terminal, signal: interrupt.signal });
    await interrupt.interrupted;
    return EXIT.done;
  });
}
