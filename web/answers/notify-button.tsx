import { useState } from 'react';

/** Asks the browser, when the reader wants that, to be notified of new questions. */
export function NotifyButton() {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  if (permission === 'granted') return <span className="quiet">Your browser notifies you of new ones.</span>;
  if (permission === 'denied') return <span className="quiet">Your browser shows no notifications of this page.</span>;
  return (
    <button onClick={() => void Notification.requestPermission().then(setPermission)}>Notify me of new ones</button>
  );
}
