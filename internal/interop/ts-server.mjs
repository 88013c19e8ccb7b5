// A server on the TypeScript SDK: one tool that heeds the signal of a cancel,
// one that ignores it, and one that asks the user and takes the question back.
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

await server.connect(new StdioServerTransport());
