import { z } from 'zod';
import { BROWSER_TOOLS, isBrowserTool, REMOTE_BROWSER_TOOLS } from '../../contracts/tools/browser-tools';
import { memberLines, plain, type DocumentedSchema } from './members';

const HEAD = `# Browser tools

What the models of tasks may call in a session's browser, word for word as they are shown it. [Tools](../tools.md) says how calls are classified, and when a person is asked; [tools of your own](../own-tools.md) come beside these.

This page is generated from contracts/tools by \`npm run docs\`.
`;

/** Writes docs/reference/tools.md from the definitions of the browser's tools. */
export function describeTools(): string {
  const remote = Object.keys(BROWSER_TOOLS).filter(
    (name) => isBrowserTool(name) && REMOTE_BROWSER_TOOLS.includes(name),
  );
  const sections = Object.entries(BROWSER_TOOLS).map(([name, { description, parameters }]) => {
    const schema = z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as DocumentedSchema;
    return [`## ${name}`, plain(description), memberLines(schema).join('\n')].join('\n\n');
  });
  return [
    HEAD,
    `Browsers of the [relay](../relay.md), and [agents](../agents.md) with tools of their own, have these of them: ${remote.map((name) => `\`${name}\``).join(', ')}.`,
    ...sections,
  ].join('\n\n');
}
