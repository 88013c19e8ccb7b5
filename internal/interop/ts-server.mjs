// A server on the TypeScript SDK: one tool that heeds the signal of a cancel,
// one that ignores it, and tools that ask the user and take the question back,
// with a reason of their own or when the SDK's timeout is over.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'ts-sdk', version: '2' }, { capabilities: { logging: {} } });
const text = (t) => ({ content: [{ type: 'text', text: t }] });
const sleep = (ms, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); fail(signal.reason); });
});

server.registerTool('heeds', { description: 'Stops when it is told to', inputSchema: z.object({}) }, async (_, ctx) => {
  const signal = ctx?.signal ?? ctx?.mcpReq?.signal;
  process.stderr.write(`heeds: started, signal ${signal ? 'there' : 'missing'}\n`);
  await sleep(60_000, signal);
  return text('never told to stop');
});
server.registerTool('ignores', { description: 'Goes on whatever it is told', inputSchema: z.object({}) }, async () => {
  await sleep(1500);
  return text('went on to the end');
});

// asks says how its question ended: the server has to have heard no answer.
const asks = (name, description, ask) => server.registerTool(name, { description, inputSchema: z.object({}) }, async (_, ctx) => {
  try {
    const answer = await ask(ctx);
    return text(`answered: ${JSON.stringify(answer)}`);
  } catch (err) {
    return text(`no answer: ${err.message ?? err}`);
  }
});
const question = { message: 'Which color?', requestedSchema: { type: 'object', properties: { color: { type: 'string' } }, required: ['color'] } };
const sample = { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello' } }], maxTokens: 20 };
const after = (ms, reason) => {
  const c = new AbortController();
  setTimeout(() => c.abort(reason), ms);
  return c.signal;
};
asks('elicit_takes_back', 'Asks, and takes it back after 1.5 s with a reason', (ctx) => ctx.mcpReq.elicitInput(question, { signal: after(1500, 'changed my mind') }));
asks('elicit_times_out', 'Asks, and gives up after 1.5 s', (ctx) => ctx.mcpReq.elicitInput(question, { timeout: 1500 }));
asks('sample_takes_back', 'Asks for a sampling, and takes it back after 1.5 s', (ctx) => ctx.mcpReq.requestSampling(sample, { signal: after(1500, 'no longer needed') }));
asks('elicit', 'Asks, and waits for the answer', (ctx) => ctx.mcpReq.elicitInput(question));
asks('sample', 'Asks for a sampling, and waits for it', (ctx) => ctx.mcpReq.requestSampling(sample));

await server.connect(new StdioServerTransport());
