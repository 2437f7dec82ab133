// Runs in every page of the bench. A page says of itself in `truth()` what was done to it; changes are sent over a socket
// that was opened before anything was done, so that a report is no request that the engine could take for an effect.
(() => {
  const [, run] = location.pathname.split('/');
  const socket = new WebSocket(`ws://${location.host}/truth/${run}`);
  let last = '';
  const report = () => {
    const truth = typeof globalThis.truth === 'function' ? JSON.stringify(globalThis.truth()) : '';
    if (truth === last || socket.readyState !== WebSocket.OPEN) return;
    socket.send((last = truth));
  };
  socket.addEventListener('open', report);
  setInterval(report, 40);
})();
