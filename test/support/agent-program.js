// A program of a user's that talks to an agent's conversation, in a process of its own: what it is shown it prints, a line
// of JSON for each event, with the place in the log to go on from. `[{ name, after } | { name, say }, …]` says what it does;
// TOOL_MODE what its tool is like; a line on its standard input answers the call that waits.
const { appendFileSync, existsSync } = require('node:fs');
const { createInterface } = require('node:readline');
const { Agent } = require('../../dist/client/agent/agent.js');
const { openAgentConnection } = require('../../dist/client/agent/connection.js');
const { defineTool } = require('../../dist/contracts/tools/define-tool.js');
const { z } = require('zod');

const { LINES_FILE, GO_FILE, MODEL, TOOL_MODE = 'write', APPROVAL_MODE = 'default' } = process.env;

/** Adds a line when it begins, and is through once the test says so. */
const tool = defineTool({
  name: 'add_line',
  description: 'Adds a line to the file',
  parameters: z.looseObject({ content: z.string() }),
  classification: TOOL_MODE === 'read' ? 'read' : 'write',
  confirm:
    TOOL_MODE === 'confirm'
      ? ({ content }) => ({
          type: 'edit',
          title: 'Add this line?',
          fileName: 'lines',
          fileDiff: `+${content}`,
          onConfirm: async () => {},
        })
      : false,
  execute: async ({ content }) => {
    appendFileSync(LINES_FILE, `${content}\n`);
    while (!existsSync(GO_FILE)) await new Promise((resolve) => setTimeout(resolve, 20));
    return `added ${content} in ${process.pid}`;
  },
});

async function main() {
  const connection = await openAgentConnection();
  const agent = new Agent({
    connection,
    config: { model: MODEL, workingDirectory: '/' },
    session: { agent: { executor: 'client' } },
    tools: ['add_line'],
    scheduler: { tools: [tool], approvalMode: APPROVAL_MODE },
  });
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { callId, outcome, newContent } = JSON.parse(line);
    void agent.getToolScheduler().handleConfirmationResponse(callId, outcome, newContent && { newContent });
  });
  const { signal } = new AbortController();
  for (const { name, after, say } of JSON.parse(process.argv[2])) {
    const events = say === undefined ? agent.attach(name, signal, after) : agent.process(say, name, signal);
    for await (const event of events) console.log(JSON.stringify({ cursor: agent.cursor, event }));
    console.log(JSON.stringify({ cursor: agent.cursor, isEnd: true }));
  }
  await agent.close();
  await connection.close();
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
