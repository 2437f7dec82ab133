import { format, resolveConfig } from 'prettier';
import { ACTIVITY_COLUMNS, activityRows } from '../../contracts/sessions/activity-limits-text';

/** A page that stands in `file`, with its table of activities as the engine has it. */
export async function withActivityTable(page: string, file: string): Promise<string> {
  const rows = [ACTIVITY_COLUMNS, ACTIVITY_COLUMNS.map(() => '---'), ...activityRows()];
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  const [before, after, ...more] = page.split(/^\| activities[^\n]*\n(?:\|[^\n]*\n)+/m);
  if (after === undefined || more.length > 0) throw new Error('Expected one table of activities in docs/timeouts.md.');
  return await format(`${before}${table}\n${after}`, { ...(await resolveConfig(file)), parser: 'markdown' });
}
