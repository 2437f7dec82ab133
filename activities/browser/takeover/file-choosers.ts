import type { FileChooser } from 'playwright';
import type { Target } from '../../../contracts/commands/planned-command';
import { EngineError } from '../../activity/failures';
import type { Attachment } from '../attach/attachment';
import { pathsForChrome } from '../commands/handlers/files';
import type { ActContext } from './act-context';

const SET_LIMIT_MS = 4000;

interface Watched {
  ask: number;
  chooser?: FileChooser;
  stop: () => void;
}

/** Of each browser: that of the newest act. A worker that dies takes it along. */
const watchedAt = new WeakMap<Attachment, Watched>();

/** Has the person asked for files where this act, or what follows it, opens a file chooser; none is open before. */
export function watchFileChooser(
  { attachment, store, sessionId, takeoverId, values }: ActContext,
  ask: number,
  target: Target | undefined,
): void {
  stopFileChooser(attachment);
  const { page } = attachment;
  const onChooser = (chooser: FileChooser): void => {
    watched.chooser = chooser;
    void chooser
      .element()
      .getAttribute('accept')
      .catch(() => null)
      .then(async (accepts) => {
        const shown = {
          name: target?.name ?? '',
          isMultiple: chooser.isMultiple(),
          accepts: values.redact(accepts ?? ''),
        };
        await store.takeovers.keepAsked(sessionId, takeoverId, { shown: { kind: 'files', ask, ...shown }, target });
      })
      .catch(() => {
        // The person clicks again where the database is gone.
      });
  };
  const watched: Watched = { ask, stop: () => page.off('filechooser', onChooser) };
  page.on('filechooser', onChooser);
  watchedAt.set(attachment, watched);
}

/** A chooser that opens later is nobody's; one that is open stays so until it is answered. */
export function stopFileChooser(attachment: Attachment): void {
  watchedAt.get(attachment)?.stop();
}

/** Throws where the chooser has gone. */
export async function giveFiles(
  { attachment, store }: ActContext,
  ask: number,
  files: readonly string[],
): Promise<void> {
  const watched = watchedAt.get(attachment);
  if (watched?.chooser === undefined || watched.ask !== ask)
    throw new EngineError('EX002', 'The page does not ask for files any more. Open its file chooser again.');
  const { chooser } = watched;
  delete watched.chooser;
  const paths = await pathsForChrome({ store }, attachment, files);
  if (!chooser.isMultiple() && paths.length > 1)
    throw new EngineError(
      'EX002',
      `The page takes one file, and ${paths.length} were given. Open its file chooser again.`,
    );
  await chooser.setFiles(paths, { timeout: SET_LIMIT_MS });
}
