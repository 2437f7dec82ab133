import type { BrowserToolArgs, BrowserToolName } from '../../../contracts/tools/browser-tools';
import type { BrowserPlan, PlanContext } from '../browser-plan';
import { computer } from './computer';
import { dialogs, formInput, upload } from './filling';
import { navigate } from './going';
import { extract, find, getPageText, readPage, tabs, wait } from './reading';
import { download, javascriptTool } from './fetching';

/** What a checked call of each browser tool comes to; throws Refusal. */
export const PLANNERS: { [N in BrowserToolName]: (args: BrowserToolArgs<N>, scene: PlanContext) => BrowserPlan } = {
  read_page: readPage,
  find,
  form_input: formInput,
  computer,
  navigate,
  get_page_text: getPageText,
  javascript_tool: javascriptTool,
  tabs,
  wait,
  dialogs,
  upload,
  download,
  extract,
};
