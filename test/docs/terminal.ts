import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Milliseconds that one block may take, or a server may take to start. */
const blockLimit = 90_000;

/** Printed after each block, followed by its exit status. */
const endOfBlock = '--- end of block';

/**
 * Fails on what a reader would notice: a command that fails, a variable that is not set, a response that is an
 * error (curl alone succeeds on 404).
 */
const strictly = 'set -u -o pipefail; curl() { command curl --fail-with-body "$@"; }\n';

/** A shell that keeps its variables from one block to the next, as a reader's terminal does. */
export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams;
  #output = '';
  #onProgress: () => void = () => undefined;
  #ended = false;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    // The shell leads a process group, so that an interrupt reaches the processes that it started.
    this.#shell = spawn('bash', ['--norc'], { cwd: folder, env: environment, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#onProgress();
      });
    this.#shell.once('close', () => {
      this.#ended = true;
      this.#onProgress();
    });
    this.#shell.stdin.write(strictly);
  }

  /**
   * Runs a block to its end and returns what it printed.
   * @throws if one of its commands fails, or if it takes longer than 90 s
   */
  async run(block: string): Promise<string> {
    this.#output = '';
    // After a failure the shell reads no further command: `cat` takes the rest of its input.
    const onError = `trap 'echo "${endOfBlock} $?"; exec cat > /dev/null' ERR`;
    this.#shell.stdin.write(`${onError}\n${block}\ntrap - ERR\necho "${endOfBlock} 0"\n`);
    const status = await this.#printed(new RegExp(`${endOfBlock} (\\d+)\n`));
    const printed = this.#output.slice(0, this.#output.lastIndexOf(endOfBlock));
    if (status !== '0') throw new Error(`a command failed with status ${status}:\n${block}\n${printed}`);
    return printed;
  }

  /**
   * Runs a command that keeps running, such as a server, and returns once it has printed `ready`.
   * @throws if it ends first, or if it has not printed that within 90 s
   */
  async start(command: string, ready: RegExp): Promise<void> {
    this.#shell.stdin.end(`${command}\n`);
    await this.#printed(ready);
  }

  /** Stops the shell and the processes that it started, as Ctrl+C does, and waits until they end. */
  async interrupt(): Promise<void> {
    if (this.#ended || this.#shell.pid === undefined) return;
    const closed = once(this.#shell, 'close');
    process.kill(-this.#shell.pid, 'SIGINT');
    await closed;
  }

  /** Waits until the output matches a pattern. Returns its first group. */
  async #printed(pattern: RegExp): Promise<string | undefined> {
    const timeout = AbortSignal.timeout(blockLimit);
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found) return found[1];
      if (this.#ended) throw new Error(`the shell ended:\n${this.#output}`);
      if (timeout.aborted) throw new Error(`not within ${blockLimit} ms:\n${this.#output}`);
      await new Promise<void>((resolve) => {
        this.#onProgress = resolve;
        timeout.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}
