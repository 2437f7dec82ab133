import type { ApprovedDeed, DeedReport } from '../../../contracts/browsers/approved-request';
import type { PlannedCommand } from '../../../contracts/commands/planned-command';
import type { Baseline } from '../approval-view/baseline';
import type { Sight } from '../approval-view/sight';
import type { Attachment } from '../attach/attachment';
import type { KeeperClient } from '../attach/keeper-client';

/**
 * Has the keeper judge what leaves the page while an approved command runs. The keeper does that, because it outlives the
 * worker.
 */
export interface ApprovedDeeds {
  /** Only what was approved leaves from now on. Rejects when that is not certain: then the command must not act. */
  begin(deed: ApprovedDeed): Promise<void>;
  /** Everything leaves again. Resolves to what became of the deed; undefined where the keeper that guarded it is gone. */
  end(): Promise<DeedReport | undefined>;
  /** Addresses that pages are connected to by WebSockets, over which they can send what nobody holds. */
  openSockets(): Promise<string[]>;
  /** Ends a deed that an earlier command, or another worker, may have left. */
  clear(): Promise<void>;
}

interface DeedsContext {
  attachment: Attachment;
  keeper: () => Promise<KeeperClient>;
  sessionId: string;
}

export function createApprovedDeeds({ attachment, keeper, sessionId }: DeedsContext): ApprovedDeeds {
  async function use(deed: ApprovedDeed | null): Promise<DeedReport | undefined> {
    attachment.mayHoldDeed = true;
    const report = await (await keeper()).setDeed(sessionId, attachment.epoch, deed);
    attachment.mayHoldDeed = deed !== null;
    return report;
  }
  return {
    begin: async (deed) => void (await use(deed)),
    end: () => use(null),
    openSockets: async () => await (await keeper()).openSockets(sessionId),
    async clear() {
      if (attachment.mayHoldDeed) await use(null);
    },
  };
}

/** Commands that set a field, and the roles of what a click sets: the page may report the new value at once. */
const SETTING = new Set([
  'INPUT_TEXT',
  'TYPE_TEXT',
  'SELECT_OPTION',
  'UPLOAD_FILE',
  'DRAG',
  'DRAG_ELEMENT',
  'RUN_SCRIPT',
]);
const SET_BY_CLICK = new Set(['checkbox', 'radio', 'switch', 'option', 'menuitemcheckbox', 'menuitemradio', 'slider']);

/** What may leave while the command runs on the page that was approved. */
export function deedOf(
  { commandId, action, parameters, target }: PlannedCommand,
  { nonces, request }: Baseline,
  now: Sight,
): ApprovedDeed {
  const { submitsTo, entries, fields, region, elsewhere, held } = now;
  const isSetting = SETTING.has(action) || SET_BY_CLICK.has(target?.role ?? '');
  const named = fields.flatMap(({ name, label, value }): [string, string][] => [
    ...(name === '' ? [] : [[name, value] as [string, string]]),
    [label, value],
  ]);
  const texts = [...region, ...elsewhere].map(({ text }) => text);
  const given = Object.values(parameters).filter((value) => typeof value === 'string');
  const values = isSetting ? [...entries, ...named].map(([, value]) => value) : [];
  // A link has no method; one that runs a script, or writes a mail, leads to no address.
  const [, method, url] = /^(?:([A-Z]+) )?(https?:.*)$/.exec(submitsTo ?? '') ?? [];
  const isLink = url !== undefined && method === undefined;
  return {
    commandId,
    ...(url === undefined || isSetting ? {} : { submits: { method: method ?? 'GET', url } }),
    entries: isSetting || isLink ? [] : entries,
    nonces,
    fields: isSetting ? [] : named,
    shown: [...texts, ...held, ...given, ...values],
    request,
  };
}
