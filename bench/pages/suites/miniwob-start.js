// Starts a MiniWoB++ episode with the seed in the address: without the cover that waits for a click, without its clock of
// ten seconds, its score board and the instruction on the page, which the session is given instead.
(() => {
  const done = { isDone: false, reward: 0 };
  const { endEpisode } = core;
  core.startEpisode = () => {
    core.createDisplay();
    if (core.cover_div !== null) return;
    core.cover_div = document.createElement('div');
    core.EPISODE_MAX_TIME = 1e9;
    core.countdownTimer = () => {};
    core.clearTimer = () => {};
    Math.seedrandom(new URLSearchParams(location.search).get('seed'));
    core.startEpisodeReal();
  };
  core.endEpisode = (reward, ...rest) => {
    if (!done.isDone) Object.assign(done, { isDone: true, reward });
    endEpisode(reward, ...rest);
    // An episode whose end nobody can see would look like a page that ignores its user.
    const end = document.createElement('p');
    end.textContent = 'The task has ended.';
    document.body.append(end);
  };
  const style = document.createElement('style');
  style.textContent = '#query { visibility: hidden } #reward-display { display: none !important }';
  document.head.append(style);
  globalThis.truth = () => ({ ...done, utterance: core.getUtterance() });
})();
