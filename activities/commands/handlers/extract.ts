import { MAX_OUTPUT } from '../../../contracts/commands/definitions/members';
import { extractBySchema } from '../../pages/extract-by-schema';
import { readPageData } from '../../pages/page-data';
import { withinMs } from '../../../runtime/time-limit';
import type { CommandHandler } from './command-handler';

const FRAME_LIMIT_MS = 5000;

export const extract: CommandHandler = async ({ page, parameters }) => {
  const asked = page
    .frames()
    .map((frame) => withinMs(FRAME_LIMIT_MS, frame.evaluate(readPageData)).catch(() => undefined));
  const data = (await Promise.all(asked)).filter((each) => each !== undefined);
  const { value, missing, rows } = extractBySchema(parameters.schema ?? {}, data);
  const note = missing.length === 0 ? '' : `\nNot found on the page: ${missing.join(', ')}.`;
  const count = rows === undefined ? '' : `${rows} rows.\n`;
  const text = JSON.stringify(value, null, 1);
  const room = MAX_OUTPUT - 300;
  return { output: `${count}${text.length > room ? `${text.slice(0, room)}… (cut)` : text}${note}` };
};
