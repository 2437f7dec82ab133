import { useState } from 'react';
import { useFrozen } from './frozen';

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
  const [goneId, setGoneId] = useState<string>();
  if (id === undefined || id === '') return null;
  const address =
    frozen === undefined ? `/v1/sessions/${sessionId}/screenshots/${encodeURIComponent(id)}` : frozen.pictures[id];
  if (address === undefined) return null;
  if (goneId === id)
    return (
      <p className="quiet">
        This picture is gone: the retention of screenshots has deleted it, or somebody has erased its session.
      </p>
    );
  const image = <img src={address} alt={alt} loading="lazy" {...size} onError={() => setGoneId(id)} />;
  return frozen === undefined ? (
    <a href={address} target="_blank" rel="noreferrer">
      {image}
    </a>
  ) : (
    image
  );
}
