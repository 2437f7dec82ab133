// Two tools for tests: one that presses at the shop, whose server counts it under a label, and one that asks the server
// for its count.
const { z } = require('zod');
const { defineTool } = require('surefoot/tools');

const parameters = z.strictObject({ shop: z.string(), label: z.string() });

exports.press = defineTool({
  name: 'press',
  description: 'Presses once',
  parameters,
  execute: async ({ shop, label }) => {
    await fetch(`${shop}/parts/counter?run=${label}`, { method: 'POST', redirect: 'manual' });
    return `pressed ${label}`;
  },
});

exports.presses = defineTool({
  name: 'presses',
  description: 'How often it was pressed',
  parameters,
  classification: 'read',
  execute: async ({ shop, label }) => {
    const answer = await fetch(`${shop}/admin/counter?run=${label}`);
    return `${(await answer.json()).count} presses`;
  },
});
