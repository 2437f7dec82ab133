import { BrowserActionSchema } from '../../../contracts/commands/commands';
import { InvestigationToolSchema, TOOL_FACTS } from '../../../contracts/steps/investigation';

test('[S1.A34] the tools of an investigation are no browser actions, and each has a most that it may find', () => {
  const actions = BrowserActionSchema.options.map((action) => action.toLowerCase());
  expect(InvestigationToolSchema.options.filter((tool) => actions.includes(tool))).toEqual([]);
  const most = Object.entries(TOOL_FACTS).map(([tool, { maxCharacters }]) => [tool, maxCharacters]);
  expect(Object.fromEntries(most)).toMatchObject({
    text_extraction: 5000,
    sub_dom_extraction: 50_000,
    full_dom_retrieval: 100_000,
  });
});
