// A server on the TypeScript SDK, version 1, over stdio.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { annotations, tools, work } from './ts-work.mjs';

const server = new McpServer({ name: 'typescript-sdk-v1', version: '1.32.2' });
for (const [name, description, heeds] of tools) {
  server.registerTool(name, { description, inputSchema: {}, annotations }, (_, extra) =>
    work(extra._meta?.progressToken, extra.sendNotification, heeds ? extra.signal : undefined));
}
await server.connect(new StdioServerTransport());
