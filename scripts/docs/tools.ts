import { z } from 'zod';
import { BROWSER_TOOLS, isBrowserTool, REMOTE_BROWSER_TOOLS } from '../../contracts/tools/browser-tools';
import { listed, memberLines, NOTATION, plain, withoutShared, type DocumentedSchema } from './members';

const HEAD = `# Browser tools

What the models of tasks may call in a session's browser, in the words that they are shown. [Tools](../tools.md) says when a person is asked.

This page is generated from contracts/tools by \`npm run docs\`.
`;

/** Writes docs/reference/tools.md from the definitions of the browser's tools. */
export function describeTools(): string {
  const remote = Object.keys(BROWSER_TOOLS).filter(
    (name) => isBrowserTool(name) && REMOTE_BROWSER_TOOLS.includes(name),
  );
  const tools = Object.entries(BROWSER_TOOLS);
  const { shared, lists } = withoutShared(
    tools.map(([, { parameters }]) =>
      memberLines(z.toJSONSchema(parameters, { io: 'input', unrepresentable: 'any' }) as DocumentedSchema),
    ),
  );
  const sections = tools.map(([name, { description }], index) =>
    [`## ${name}`, plain(description), ...listed(lists[index]!)].join('\n\n'),
  );
  return [
    HEAD,
    `Browsers of the [relay](../relay.md), and [agents](../agents.md) with tools of their own, have these of them: ${remote.map((name) => `\`${name}\``).join(', ')}.`,
    NOTATION,
    ...(shared.length === 0 ? [] : ['Members of several tools, whose lists only name them:', shared.join('\n')]),
    ...sections,
  ].join('\n\n');
}
