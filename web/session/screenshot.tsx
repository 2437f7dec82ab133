import { useFrozen } from '../elements/frozen';

/** A picture of the page, and the whole of it behind a click; nothing where a file had no room for it. */
export function Screenshot({
  sessionId,
  id,
  alt,
  size,
}: {
  sessionId: string;
  id: string | undefined;
  alt: string;
  size?: { width: number; height: number };
}) {
  const frozen = useFrozen();
  if (id === undefined || id === '') return null;
  const address =
    frozen === undefined ? `/v1/sessions/${sessionId}/screenshots/${encodeURIComponent(id)}` : frozen.pictures[id];
  if (address === undefined) return null;
  const image = <img src={address} alt={alt} loading="lazy" {...size} />;
  return frozen === undefined ? (
    <a href={address} target="_blank" rel="noreferrer">
      {image}
    </a>
  ) : (
    image
  );
}
