import { type Chat, expired } from './chat.ts';
import { element, icon } from './elements.ts';
import { texts as allTexts } from './languages.ts';
import { MessageList } from './messages.ts';
import { canRecord, Recorder } from './recorder.ts';
import type { Settings } from './settings.ts';
import type { Speaker } from './speaker.ts';
import styles from './widget.css?inline';

/** Where the panel covers the whole page, and keeps the keyboard to itself. */
const phone = '(max-width: 479.98px), (max-height: 419.98px)';
/** The longest message that the server accepts, in characters. */
const longestMessage = 4000;
/** Pixels from the end of the log within which new messages scroll it. */
const nearEnd = 80;

/** What the panel asks of the rest. */
export interface PanelActions {
  opened(): void;
  closed(): void;
}

/** The button and the dialog, in a shadow root of their own. */
export class Panel {
  readonly host = document.createElement('parley-chat');
  readonly #chat: Chat;
  readonly #texts;
  readonly #speaker: Speaker;
  readonly #recorder: Recorder;
  readonly #actions: PanelActions;
  readonly #root: HTMLElement;
  readonly #launcher: HTMLButtonElement;
  readonly #dialog: HTMLDialogElement;
  readonly #log: HTMLElement;
  readonly #list: MessageList;
  readonly #typing: HTMLElement;
  readonly #status: HTMLElement;
  readonly #form: HTMLFormElement;
  readonly #input: HTMLTextAreaElement;
  readonly #speak: HTMLButtonElement;
  readonly #send: HTMLButtonElement;
  readonly #end: HTMLButtonElement;
  readonly #again: HTMLButtonElement;
  #before: Element | null = null;
  #read = 0;
  /** Why the microphone was not used the last time, in words. */
  #refusal = '';

  constructor(settings: Settings, chat: Chat, speaker: Speaker, actions: PanelActions) {
    const texts = allTexts[settings.language];
    this.#chat = chat;
    this.#texts = texts;
    this.#speaker = speaker;
    this.#recorder = new Recorder(
      (recording) => chat.sendRecording(recording),
      () => this.render(),
    );
    this.#actions = actions;
    this.#launcher = element('button', {
      class: 'launcher',
      type: 'button',
      'aria-haspopup': 'dialog',
      'aria-expanded': 'false',
      'aria-label': texts.open,
    });
    this.#launcher.append(icon('chat'), icon('down'));
    this.#typing = element('div', { class: 'typing', 'aria-hidden': 'true' });
    this.#typing.append(element('i'), element('i'), element('i'));
    const conversation = element('div', { class: 'conversation' });
    this.#list = new MessageList(conversation, texts);
    const disclosure = element('p', { class: 'disclosure', id: 'disclosure' });
    disclosure.append(icon('spark'), element('span', {}, texts.disclosure));
    this.#log = element('div', { class: 'log', role: 'log', tabindex: '0', 'aria-label': texts.log });
    this.#log.append(disclosure);
    if (settings.greeting)
      this.#log.append(element('p', { class: 'greeting', dir: 'auto' }, settings.greeting));
    this.#log.append(conversation, this.#typing);
    this.#status = element('div', { class: 'status', role: 'status' });
    this.#again = element('button', { class: 'again', type: 'button' });
    this.#input = element('textarea', {
      rows: '1',
      maxlength: String(longestMessage),
      placeholder: texts.write,
      'aria-label': texts.write,
      enterkeyhint: 'send',
      autocomplete: 'off',
    });
    this.#send = element('button', { class: 'send', type: 'submit', 'aria-label': texts.send });
    this.#send.append(icon('send'));
    this.#speak = element('button', { class: 'speak', type: 'button' });
    this.#speak.append(icon('microphone'), icon('stop'));
    this.#form = element('form', { class: 'composer' }, this.#input, this.#speak, this.#send);
    this.#end = element('button', { class: 'end', type: 'button' }, texts.end);
    const close = element('button', { class: 'close', type: 'button', 'aria-label': texts.close });
    close.append(icon('close'));
    const avatar = element('div', { class: 'avatar' });
    avatar.append(icon('spark'));
    const heading = element('div', { class: 'heading' });
    heading.append(
      element('h2', { id: 'title', dir: 'auto' }, settings.title ?? texts.title),
      element('p', {}, texts.assistant),
    );
    this.#dialog = element(
      'dialog',
      {
        class: 'panel',
        id: 'panel',
        tabindex: '-1',
        'aria-labelledby': 'title',
        'aria-describedby': 'disclosure',
      },
      element('header', {}, avatar, heading, this.#end, close),
      this.#log,
      this.#status,
      this.#again,
      this.#form,
    );
    this.#root = element(
      'div',
      {
        class: 'root',
        lang: settings.language,
        dir: settings.direction,
        'data-side': settings.side,
        'data-theme': settings.theme,
      },
      this.#dialog,
      this.#launcher,
    );
    this.#adopt(settings.color);
    close.addEventListener('click', () => this.#dialog.close());
    this.#launcher.addEventListener('click', () => (this.isOpen ? this.#dialog.close() : this.open()));
    this.#dialog.addEventListener('close', () => this.#closed());
    this.#dialog.addEventListener('keydown', (event) => this.#closeOnEscape(event));
    this.#end.addEventListener('click', () => void chat.end());
    this.#again.addEventListener('click', () => this.#goOn());
    this.#speak.addEventListener('click', () => void this.#record());
    this.#form.addEventListener('submit', (event) => this.#submit(event));
    this.#input.addEventListener('keydown', (event) => this.#sendOnEnter(event));
    this.#input.addEventListener('input', () => this.#fitInput());
    globalThis.visualViewport?.addEventListener('resize', () => this.#fitKeyboard());
    this.render();
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  /** Opens the dialog. A page that opens it by itself, after a reload for example, leaves the focus where it is. */
  open({ takesFocus = true } = {}): void {
    if (this.isOpen) return;
    this.#before = document.activeElement;
    this.#launcher.setAttribute('aria-expanded', 'true');
    this.#launcher.setAttribute('aria-label', this.#texts.close);
    this.#root.classList.add('opened');
    if (takesFocus && matchMedia(phone).matches) this.#dialog.showModal();
    else this.#dialog.show();
    // A field that is not shown has no height to measure.
    this.#fitInput();
    this.#fitKeyboard();
    this.#actions.opened();
    this.render();
    this.#log.scrollTop = this.#log.scrollHeight;
    // On a phone, the keyboard would cover what the agent says first.
    const focused = matchMedia('(pointer: coarse)').matches ? this.#dialog : this.#input;
    if (takesFocus) focused.focus({ preventScroll: true });
    // Browsers focus a dialog that opens.
    else if (this.#before instanceof HTMLElement && this.#before !== document.body)
      this.#before.focus({ preventScroll: true });
    else if (document.activeElement === this.host) this.host.blur();
  }

  close(): void {
    this.#dialog.close();
  }

  /** Shows the chat as it is now. */
  render(): void {
    const { phase, trouble, turns, isBusy } = this.#chat;
    const isAtEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < nearEnd;
    // Screen readers read a turn when it is complete.
    this.#log.setAttribute('aria-busy', String(isBusy));
    this.#list.show(turns);
    this.#typing.hidden = !isBusy || trouble !== undefined;
    this.#showMicrophone();
    this.#showStatus();
    const isOver = phase.name === 'ended';
    const isStopped = phase.name === 'stopped';
    this.#form.hidden = isOver || isStopped;
    this.#end.hidden = phase.name !== 'open';
    const canHurry = trouble === 'reconnecting' || trouble === 'unreachable';
    this.#again.hidden = !(isOver || isStopped || canHurry);
    this.#again.textContent = isOver ? this.#texts.startAgain : this.#texts.tryAgain;
    this.#again.classList.toggle('primary', isOver || isStopped);
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
    this.#showUnread();
  }

  #showMicrophone(): void {
    const { isRecording } = this.#recorder;
    const { speak, finishSpeaking } = this.#texts;
    this.#speak.hidden = !(canRecord() && this.#chat.canSpeak);
    this.#speak.setAttribute('aria-label', isRecording ? finishSpeaking : speak);
    this.#speak.classList.toggle('recording', isRecording);
  }

  #showStatus(): void {
    const { phase, trouble, isBusy } = this.#chat;
    const texts = this.#texts;
    let text = '';
    if (trouble) text = texts[trouble];
    else if (phase.name === 'stopped') text = texts[phase.obstacle];
    else if (phase.name === 'ended') text = phase.reason === expired ? texts.expired : texts.ended;
    else if (phase.name === 'connecting') text = texts.connecting;
    else if (this.#recorder.isRecording) text = texts.listening;
    else text = this.#refusal;
    const isQuiet = text === '' && isBusy;
    this.#status.classList.toggle('hidden', isQuiet);
    this.#status.classList.toggle('problem', phase.name === 'stopped');
    const shown = isQuiet ? texts.typing : text;
    if (this.#status.textContent !== shown) this.#status.textContent = shown;
  }

  /** Marks the button if the agent has said something while the dialog was closed. */
  #showUnread(): void {
    const said = this.#chat.turns
      .flatMap(({ events }) => events)
      .filter(({ event }) => event === 'say').length;
    if (this.isOpen) this.#read = said;
    const isUnread = said > this.#read;
    this.#launcher.classList.toggle('unread', isUnread);
    if (!this.isOpen)
      this.#launcher.setAttribute('aria-label', isUnread ? this.#texts.openUnread : this.#texts.open);
  }

  #closed(): void {
    this.#recorder.discard();
    this.#speaker.stop();
    this.#root.classList.remove('opened');
    this.#launcher.setAttribute('aria-expanded', 'false');
    this.#actions.closed();
    this.render();
    const before = this.#before;
    const target = before instanceof HTMLElement && before !== document.body && before !== this.host;
    (target && before.isConnected ? before : this.#launcher).focus({ preventScroll: true });
  }

  #closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    // The page may close something of its own on Escape.
    event.stopPropagation();
    this.#dialog.close();
  }

  #sendOnEnter(event: KeyboardEvent): void {
    // Shift and Enter begin a line; in Japanese, Enter accepts what the keyboard proposes.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.#form.requestSubmit();
  }

  #submit(event: Event): void {
    event.preventDefault();
    const text = this.#input.value.trim();
    if (text === '') return;
    this.#refusal = '';
    this.#input.value = '';
    this.#fitInput();
    this.#chat.send(text);
    this.#log.scrollTop = this.#log.scrollHeight;
    this.#input.focus();
  }

  /** Begins to listen to the visitor, or sends what was said. */
  async #record(): Promise<void> {
    this.#refusal = '';
    this.#speaker.allow();
    this.#speaker.stop();
    if (this.#recorder.isRecording) {
      this.#recorder.finish();
      return;
    }
    try {
      await this.#recorder.start();
    } catch (error) {
      const { microphoneRefused, microphoneFailed } = this.#texts;
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
      this.#refusal = isRefused ? microphoneRefused : microphoneFailed;
      this.render();
    }
  }

  /** Starts another chat after an ended one, or tries again. */
  #goOn(): void {
    if (this.#chat.phase.name === 'ended') {
      this.#input.value = this.#chat.startAgain();
      this.#read = 0;
      this.#fitInput();
    } else this.#chat.retryNow();
    this.#input.focus();
  }

  #fitInput(): void {
    this.#input.style.height = 'auto';
    this.#input.style.height = `${this.#input.scrollHeight}px`;
    // An empty field would be left to right, and its placeholder on the wrong side.
    this.#input.dir = this.#input.value === '' ? '' : 'auto';
    this.#send.disabled = this.#input.value.trim() === '';
  }

  /** Keeps the panel above the keyboard of a phone. */
  #fitKeyboard(): void {
    const height = globalThis.visualViewport?.height;
    if (height) this.#root.style.setProperty('--visible-height', `${height}px`);
  }

  /** Adopts the styles as objects, which the `style-src` of the page does not forbid. */
  #adopt(color: string | undefined): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    const shadow = this.host.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(this.#root);
    this.#fitInput();
    if (color === undefined) return;
    this.#root.style.setProperty('--color', color);
    this.#root.style.setProperty('--on-color', readableOn(color));
  }
}

/** Returns black or white: the one with more contrast to this colour (WCAG 2, relative luminance). */
function readableOn(color: string): string {
  const probe = document.createElement('canvas').getContext('2d');
  if (!probe) return 'white';
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...probe.getImageData(0, 0, 1, 1).data].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) ** 2 > 0.05 * 1.05 ? 'black' : 'white';
}
