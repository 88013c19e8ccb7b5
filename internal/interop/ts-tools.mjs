// The tools of the servers on the TypeScript SDK: one that heeds the signal of a
// cancel, one that ignores it, and tools that ask the user and take the question
// back, with a reason of their own or when the SDK's timeout is over.
import { McpServer, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (t) => ({ content: [{ type: 'text', text: t }] });
const sleep = (ms, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); });
});
const question = { message: 'Which color?', requestedSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] } };
const sample = { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }], maxTokens: 20 };
const after = (ms, reason) => {
  const c = new AbortController();
  setTimeout(() => c.abort(reason), ms);
  return c.signal;
};

// makeServer makes a server for one session, or since 2026-07-28 for one request.
export function makeServer(era = 'legacy') {
  const server = new McpServer({ name: 'ts-sdk', version: '2' }, { capabilities: { logging: {} } });
  const tool = (name, description, run) => server.registerTool(name, { description, inputSchema: z.object({}) }, async (_, ctx) => run(ctx));

  tool('heeds', 'Stops when it is told to', async (ctx) => {
    const signal = ctx?.signal ?? ctx?.mcpReq?.signal;
    process.stderr.write(`heeds: started, signal ${signal ? 'there' : 'missing'}\n`);
    signal?.addEventListener('abort', () => process.stderr.write('heeds: told to stop\n'));
    await sleep(60_000, signal);
    return text('never told to stop');
  });
  tool('ignores', 'Goes on whatever it is told', async () => {
    process.stderr.write('ignores: started\n');
    await sleep(6000);
    process.stderr.write('ignores: went on to the end\n');
    return text('went on to the end');
  });
  tool('tells', 'Sends progress, and goes on whatever it is told', async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= 100; progress++) {
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await sleep(50);
    }
    return text('told all of it');
  });
  if (era === 'modern') {
    // Here a question is the answer to a call, which is then made again.
    const round = (name, description, ask) => tool(name, description, (ctx) => {
      const answer = ctx.mcpReq.inputResponses?.answer;
      return answer ? text(`answered: ${JSON.stringify(answer)}`) : inputRequired({ inputRequests: { answer: ask } });
    });
    round('elicit', 'Asks, and waits for the answer', inputRequired.elicit(question));
    round('sample', 'Asks for a sampling, and waits for it', inputRequired.createMessage(sample));
    return server;
  }

  // asks says how its question ended: the server has to have heard no answer.
  const asks = (name, description, ask) => tool(name, description, async (ctx) => {
    try {
      return text(`answered: ${JSON.stringify(await ask(ctx))}`);
    } catch (err) {
      return text(`no answer: ${err.message ?? err}`);
    }
  });
  asks('elicit_takes_back', 'Asks, and takes it back after 1.5 s with a reason', (ctx) => ctx.mcpReq.elicitInput(question, { signal: after(1500, 'changed my mind') }));
  asks('elicit_times_out', 'Asks, and gives up after 1.5 s', (ctx) => ctx.mcpReq.elicitInput(question, { timeout: 1500 }));
  asks('sample_takes_back', 'Asks for a sampling, and takes it back after 1.5 s', (ctx) => ctx.mcpReq.requestSampling(sample, { signal: after(1500, 'no longer needed') }));
  asks('elicit', 'Asks, and waits for the answer', (ctx) => ctx.mcpReq.elicitInput(question));
  asks('sample', 'Asks for a sampling, and waits for it', (ctx) => ctx.mcpReq.requestSampling(sample));
  return server;
}
