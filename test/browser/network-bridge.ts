/**
 * Lets programs in a network namespace reach a server outside of it: listens on a port of the namespace, and passes each
 * connection on to a Unix socket, which no namespace separates.
 *
 * Usage: node test/browser/network-bridge.ts PORT SOCKET
 */
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';

const [port, socket = ''] = process.argv.slice(2);
const server = createServer((incoming) => {
  const outgoing = connect(socket);
  // A browser closes connections as it likes, so an end with an error is an end.
  pipeline(incoming, outgoing, incoming, () => incoming.destroy());
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
