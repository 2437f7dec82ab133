import { Argument } from 'commander';
import type { CliCommand } from '../context/define-command';
import { EXIT } from '../context/exit';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

export const completion: CliCommand = {
  name: 'completion',
  summary: 'print a script that completes commands and options in your shell',
  description:
    'Prints a script with which your shell completes commands, options and their values. It needs `surefoot` in ' +
    'your PATH, as `npm install --global surefoot` puts it there.',
  examples: [
    ['source <(surefoot completion bash)', 'in this shell; put the line into ~/.bashrc for all of them'],
    ['source <(surefoot completion zsh)', 'the same at the end of ~/.zshrc'],
    ['surefoot completion fish > ~/.config/fish/completions/surefoot.fish', 'for fish'],
  ],
  define: (command, end) =>
    command.addArgument(new Argument('<shell>', 'your shell').choices(SHELLS)).action(async (shell: string) => {
      const { default: tab } = await import('@bomb.sh/tab');
      tab.setup('surefoot', 'surefoot', shell);
      end(EXIT.done);
    }),
};
