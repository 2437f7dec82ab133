import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { PictureBoxSchema, type PictureBox } from '../../contracts/files/picture-box';
import type { ScreenshotInfo } from '../../contracts/sessions/resources';
import { client } from './client';
import { useFrozen } from '../elements/frozen';

/** The pictures of a session, oldest first. */
export function usePictures(sessionId: string) {
  return useQuery({ queryKey: ['pictures', sessionId], queryFn: () => client.listScreenshots(sessionId) });
}

interface ScreenshotProps {
  sessionId: string;
  id: string | undefined;
  alt: string;
  /** Where on it was acted, where it does not know. */
  target?: PictureBox | undefined;
}

/** A picture of the page, and the whole of it behind a click; nothing where a file had no room for it. */
export function Screenshot(props: ScreenshotProps) {
  return useFrozen() === undefined ? <Stored {...props} /> : <Kept {...props} />;
}

function Kept({ id = '', alt, target }: ScreenshotProps) {
  const { pictures, screenshots } = useFrozen()!;
  const address = pictures[id];
  if (address === undefined) return null;
  return <Marked address={address} alt={alt} target={target} info={screenshots.find((each) => each.id === id)} />;
}

function Stored({ sessionId, id = '', alt, target }: ScreenshotProps) {
  const { data: pictures } = usePictures(sessionId);
  const [goneId, setGoneId] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  if (id === '') return null;
  if (goneId === id)
    return (
      <p className="quiet">
        This picture is gone: the retention of screenshots has deleted it, or somebody has erased its session.
      </p>
    );
  const address = `/v1/sessions/${sessionId}/screenshots/${encodeURIComponent(id)}`;
  const picture = { address, alt, target, info: pictures?.find((each) => each.id === id) };
  return (
    <>
      <button
        className="picture"
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true);
          dialog.current!.showModal();
        }}
      >
        <Marked {...picture} onGone={() => setGoneId(id)} />
      </button>
      <dialog ref={dialog} className="whole" aria-label={alt} onClose={() => setOpen(false)}>
        {isOpen && <Marked {...picture} />}
        <form method="dialog" className="together">
          <a href={address} target="_blank" rel="noreferrer">
            As a file
          </a>
          <button>Close</button>
        </form>
      </dialog>
    </>
  );
}

interface MarkedProps {
  address: string;
  alt: string;
  target: PictureBox | undefined;
  info: Pick<ScreenshotInfo, 'dimensions' | 'metadata'> | undefined;
  onGone?: () => void;
}

/** A picture with a frame around the element that was acted on, where that is still to be seen. */
function Marked({ address, alt, target: given, info, onGone }: MarkedProps) {
  const { width = 0, height = 0 } = info?.dimensions ?? {};
  const target = given ?? PictureBoxSchema.safeParse(info?.metadata?.['target']).data;
  const size = width > 0 && height > 0 ? { width, height } : {};
  return (
    <span className="shot">
      <img src={address} alt={alt} loading="lazy" {...size} {...(onGone && { onError: onGone })} />
      {target !== undefined && width > 0 && height > 0 && (
        <svg className="mark" viewBox={`0 0 ${width} ${height}`} role="img" aria-label="The element that was acted on">
          <rect {...around(target)} />
        </svg>
      )}
    </span>
  );
}

const GAP = 4;

function around({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return { x: x - GAP, y: y - GAP, width: width + 2 * GAP, height: height + 2 * GAP, rx: 4 };
}
