// The limit of the stdio row: the same responses from Node.js alone. It is JavaScript, because stripping types takes time.
import { readFileSync } from 'node:fs';

const results = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let rest = '';
process.stdin.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id !== undefined)
      process.stdout.write(`${JSON.stringify({ result: results[method], jsonrpc: '2.0', id })}\n`);
  }
});
