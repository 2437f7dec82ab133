import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_FILE_BYTES } from '../../contracts/files/file';
import { client } from '../connection/client';
import { useSignIn } from '../connection/sign-in';
import { Field } from '../elements/field';
import { Problem } from '../elements/problem';

type Uploaded = Awaited<ReturnType<typeof client.uploadFile>>;

/** Files for the session to upload to sites: each is stored at once, and steps name it by its id. */
export function Files({ onUse }: { onUse: (step: string) => void }) {
  const mayAct = useSignIn()?.state === 'signed-in';
  const [files, setFiles] = useState<readonly Uploaded[]>([]);
  const { mutate, isPending, error } = useMutation({
    async mutationFn(given: readonly File[]) {
      for (const file of given) {
        if (file.size > MAX_FILE_BYTES)
          throw new Error(`${file.name} has ${file.size.toLocaleString()} bytes; a file has at most 100 MB.`);
        const stored = await client.uploadFile(file);
        setFiles((before) => [...before, stored]);
      }
    },
  });
  return (
    <fieldset>
      <legend>Files</legend>
      <p className="hint">Kept for a week, for steps that upload them to a site.</p>
      <Field label="Give files">
        {(id) => (
          <input
            id={id}
            type="file"
            multiple
            disabled={isPending || !mayAct}
            onChange={(event) => {
              mutate([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        )}
      </Field>
      <Problem error={error} />
      <ul className="files">
        {files.map(({ fileId, name, bytes }) => (
          <li key={fileId} className="together">
            <span>
              {name} <span className="quiet">{bytes.toLocaleString()} bytes</span>
            </span>
            <button type="button" onClick={() => onUse(`Upload ${fileId} to "Attachment"`)}>
              Add a step that uploads {name}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
