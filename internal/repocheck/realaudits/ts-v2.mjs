// A server on the TypeScript SDK, version 2: over stdio in both eras, or in 2026-07-28 over
// HTTP at 127.0.0.1:$PORT/mcp where PORT is set.
import { createServer } from 'node:http';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';
import { annotations, tools, work } from './ts-work.mjs';

function makeServer() {
  const server = new McpServer({ name: 'typescript-sdk-v2', version: '2.4.0' });
  for (const [name, description, heeds] of tools) {
    server.registerTool(name, { description, inputSchema: z.object({}), annotations }, (_, ctx) =>
      work(ctx.mcpReq._meta?.progressToken, (n) => ctx.mcpReq.notify(n), heeds ? ctx.mcpReq.signal : undefined));
  }
  return server;
}

if (process.env.PORT) {
  createServer(toNodeHandler(createMcpHandler(makeServer, { legacy: 'reject' }))).listen(Number(process.env.PORT), '127.0.0.1');
} else {
  serveStdio(makeServer);
}
