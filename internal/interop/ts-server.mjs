// A server on the TypeScript SDK, over stdio.
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './ts-tools.mjs';

await makeServer().connect(new StdioServerTransport());
