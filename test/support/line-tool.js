// A tool module of an operator's own (SUREFOOT_TOOLS). It takes whatever a model adds to its arguments.
const { appendFileSync } = require('node:fs');
const { z } = require('zod');
const { defineTool } = require('../../dist/contracts/tools/define-tool.js');

exports.addLine = defineTool({
  name: 'add_line',
  description: 'Adds a line to the file',
  parameters: z.looseObject({ text: z.string() }),
  classification: 'destructive',
  execute: ({ text }) => {
    appendFileSync(process.env.LINES_FILE, `${text}\n`);
    return 'added';
  },
});
