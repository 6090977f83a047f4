import { Chat, type ChatEvents } from './chat.ts';
import { Memory } from './memory.ts';
import { Panel } from './panel.ts';
import { readSettings } from './settings.ts';
import { Speaker } from './speaker.ts';

/** What the page can do with the chat. */
interface ParleyApi {
  /** Opens the dialog, and starts or continues the chat. */
  open(): void;
  /** Closes the dialog. The chat goes on. */
  close(): void;
  /** Ends the chat. */
  end(): Promise<void>;
}

declare global {
  var Parley: ParleyApi | undefined;
}

/** Tells the page what happens, as an event `parley:…` of its window. */
function emit(name: keyof ChatEvents | 'ready' | 'open' | 'close', detail: object): void {
  dispatchEvent(new CustomEvent(`parley:${name}`, { detail }));
}

/** Writes to the console what only the author of the page can change. */
function tellAuthor(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the author of a page has no other place to look
  console.error(`Parley: ${message}`); // oxlint-disable-line no-console
}

function mount(script: HTMLScriptElement): void {
  if (globalThis.Parley) {
    tellAuthor('the widget is on this page already.');
    return;
  }
  const settings = readSettings(script);
  const memory = new Memory(settings.webAgentId);
  const speaker = new Speaker();
  let render = () => {};
  const chat = new Chat(
    settings,
    memory,
    speaker,
    () => render(),
    (name, detail) => {
      if (name === 'error') tellAuthor((detail as ChatEvents['error']).message);
      emit(name, detail);
    },
  );
  const panel = new Panel(settings, chat, speaker, {
    opened() {
      memory.update({ isOpen: true });
      chat.begin();
      emit('open', {});
    },
    closed() {
      memory.update({ isOpen: false });
      emit('close', {});
    },
  });
  render = () => panel.render();
  document.body.append(panel.host);
  globalThis.Parley = { open: () => panel.open(), close: () => panel.close(), end: () => chat.end() };
  const { isOpen, unsent } = memory.remembered;
  if (isOpen) panel.open({ takesFocus: false });
  // The visitor has left the last page before the server confirmed a message.
  else if (unsent.length > 0) chat.begin();
  emit('ready', {});
}

const script = document.currentScript ?? document.querySelector('script[data-web-agent]');
if (!(script instanceof HTMLScriptElement)) tellAuthor('there is no script element with data-web-agent.');
else if (document.body) start(script);
else addEventListener('DOMContentLoaded', () => start(script), { once: true });

function start(script: HTMLScriptElement): void {
  try {
    mount(script);
  } catch (error) {
    tellAuthor(error instanceof Error ? error.message : String(error));
  }
}
