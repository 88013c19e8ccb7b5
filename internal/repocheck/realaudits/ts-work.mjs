// What the tools of the audited servers on the TypeScript SDKs do: two seconds of waiting,
// with progress. One stops when its signal says so, one takes no notice.
const text = (t) => ({ content: [{ type: 'text', text: t }] });
const sleep = (ms, signal) => new Promise((done, fail) => {
  if (signal?.aborted) return fail(signal.reason);
  const timer = setTimeout(done, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
});

export async function work(progressToken, notify, signal) {
  for (let progress = 1; progress <= 8; progress++) {
    await sleep(250, signal);
    if (progressToken !== undefined) {
      await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 8 } });
    }
  }
  return text('worked to the end');
}

export const tools = [
  ['heeds', 'Works for two seconds, and stops when the SDK signals a cancel', true],
  ['ignores', 'Works for two seconds, whatever the SDK signals', false],
];
export const annotations = { readOnlyHint: true };
