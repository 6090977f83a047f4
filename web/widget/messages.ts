import type { TurnEvent } from './api.ts';
import type { Turn } from './chat.ts';
import { element, icon } from './elements.ts';
import type { Texts } from './languages.ts';
import { telephoneLink, withLinks } from './links.ts';

/** Shows turns in the log. What is shown already stays untouched, so that screen readers read only what is new. */
export class MessageList {
  readonly #parent: HTMLElement;
  readonly #texts: Texts;
  readonly #shown = new Map<Turn, { readonly group: HTMLElement; readonly keys: string[] }>();

  constructor(parent: HTMLElement, texts: Texts) {
    this.#parent = parent;
    this.#texts = texts;
  }

  show(turns: readonly Turn[]): void {
    for (const [turn, { group }] of this.#shown) {
      if (turns.includes(turn)) continue;
      group.remove();
      this.#shown.delete(turn);
    }
    let place = this.#parent.firstElementChild;
    for (const turn of turns) {
      const group = this.#showTurn(turn);
      if (group === place) place = place.nextElementSibling;
      else this.#parent.insertBefore(group, place);
    }
  }

  #showTurn(turn: Turn): HTMLElement {
    const { group, keys } = this.#groupOf(turn);
    const parts = turn.events.filter(isShown);
    const texts = parts.map((part) => JSON.stringify(part));
    const same = keys.findIndex((key, index) => key !== texts[index]);
    if (same >= 0) {
      // The turn was played again, and this time the agent said something else.
      for (const stale of [...group.children].slice((turn.text === null ? 0 : 1) + same)) stale.remove();
      keys.length = same;
    }
    for (const part of parts.slice(keys.length)) group.append(this.#partOf(part));
    keys.push(...texts.slice(keys.length));
    return group;
  }

  #groupOf(turn: Turn) {
    const known = this.#shown.get(turn);
    if (known) return known;
    const group = element('div', { class: 'turn' });
    if (turn.text !== null) group.append(this.#bubble('visitor', this.#texts.you, [turn.text]));
    const made = { group, keys: [] };
    this.#shown.set(turn, made);
    return made;
  }

  #partOf(part: Shown): HTMLElement {
    const { assistant, call, handedOver } = this.#texts;
    if (part.event === 'heard') return this.#bubble('visitor', this.#texts.you, [part.text]);
    if (part.event === 'say') return this.#bubble('agent', assistant, withLinks(part.text));
    const text = part.handedOver ? [handedOver] : [`${call} `, telephoneLink(part.value)];
    return element('div', { class: 'transfer' }, icon('phone'), element('p', {}, ...text));
  }

  /** The author is for screen readers; the others see it by side and colour. */
  #bubble(author: 'visitor' | 'agent', name: string, content: (Node | string)[]): HTMLElement {
    return element(
      'div',
      { class: `bubble ${author}` },
      element('span', { class: 'hidden' }, `${name}: `),
      element('p', { dir: 'auto' }, ...content),
    );
  }
}

type Shown = Extract<TurnEvent, { readonly event: 'say' | 'heard' | 'transfer' }>;

/** True for what the visitor sees. A transfer that nobody took, to an address that nobody can dial, is none of it. */
function isShown(event: TurnEvent): event is Shown {
  if (event.event === 'transfer') return event.handedOver || event.kind === 'phoneNumber';
  return event.event === 'say' || (event.event === 'heard' && event.text !== '');
}
