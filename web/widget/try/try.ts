/** The events of the widget that the page lists. */
const events = ['ready', 'open', 'close', 'start', 'message', 'transfer', 'end', 'error'];

const form = find('form', HTMLFormElement);
const fields = [find('webAgent', HTMLInputElement), find('key', HTMLInputElement)] as const;
const voice = find('voice', HTMLInputElement);
const server = new URL('.', document.baseURI).href;

// The fragment never leaves the browser, and a reload keeps it.
const given = new URLSearchParams(location.hash.slice(1));
for (const field of fields) field.value = given.get(field.name) ?? '';
voice.checked = given.has('voice');
find('origin', HTMLElement).textContent = location.origin;
form.addEventListener('submit', showChat);
addEventListener('hashchange', () => location.reload());
if (fields.every(({ value }) => value !== '')) start();

/** Starts over, because a page has one widget. */
function showChat(event: Event): void {
  event.preventDefault();
  const hash = new URLSearchParams(fields.map(({ name, value }) => [name, value.trim()]));
  if (voice.checked) hash.set('voice', 'on');
  if (location.hash === `#${hash}`) location.reload();
  else location.hash = String(hash);
}

function start(): void {
  const [webAgent, key] = fields.map(({ value }) => value);
  const script = document.createElement('script');
  script.async = true;
  script.src = `${server}widget.js`;
  script.dataset['webAgent'] = webAgent;
  script.dataset['key'] = key;
  if (voice.checked) script.dataset['voice'] = 'on';
  const list = find('events', HTMLElement);
  for (const name of events)
    addEventListener(`parley:${name}`, (event) => {
      const line = document.createElement('li');
      line.textContent = `parley:${name} ${JSON.stringify((event as CustomEvent).detail)}`;
      list.append(line);
    });
  addEventListener('parley:ready', () => globalThis.Parley?.open(), { once: true });
  document.body.append(script);
  const snippet = script.outerHTML;
  find('snippet', HTMLElement).textContent = snippet;
  find('copy', HTMLElement).addEventListener('click', () => void copy(snippet));
  find('result', HTMLElement).hidden = false;
}

async function copy(text: string): Promise<void> {
  const status = find('copied', HTMLElement);
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    // The browser refuses, for example on a page without TLS.
    status.textContent = 'The browser does not allow copying here. Select the line above instead.';
  }
}

function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}
